// A person as three later programs would declare it, for the migrations.

import Foundation
import Trove

/// A stored type as four programs know it, under the same prefix.
enum PersonOf {
    @IndexKeyRecord(keyPrefix: 1, "id")
    struct FirstProgram: Equatable {
        let id: Int64
        var name: String
        var age: Int
        var email: String
        var created: Date
    }

    /// An additional field and a renamed field: every record can be converted.
    @IndexKeyRecord(keyPrefix: 1, "id")
    struct Extended: Equatable {
        let id: Int64
        @Renamed("name") var fullName: String
        var age: Int
        var email: String
        var created: Date
        var nickname: String?
        var visits: Int = 0
    }

    /// A narrower number, too narrow for some ages.
    @IndexKeyRecord(keyPrefix: 1, "id")
    struct Narrowed: Equatable {
        let id: Int64
        var name: String
        var age: Int16
        var email: String
        var created: Date
    }

    /// Sorted by age.
    @IndexKeyRecord(keyPrefix: 1, "age", "id")
    struct Sorted: Equatable {
        let id: Int64
        var name: String
        let age: Int
        var email: String
        var created: Date
    }
}

extension PersonOf.FirstProgram {
    init(_ person: Person) {
        self.init(id: person.id, name: person.name, age: person.age, email: person.email, created: person.created)
    }
}

extension PersonOf.Extended {
    init(_ old: PersonOf.FirstProgram) {
        self.init(
            id: old.id, fullName: old.name, age: old.age, email: old.email, created: old.created, nickname: nil,
            visits: 0)
    }
}

extension PersonOf.Narrowed {
    init(_ old: PersonOf.FirstProgram) {
        self.init(id: old.id, name: old.name, age: Int16(old.age), email: old.email, created: old.created)
    }
}

extension PersonOf.Sorted {
    init(_ old: PersonOf.FirstProgram) {
        self.init(id: old.id, name: old.name, age: old.age, email: old.email, created: old.created)
    }
}
