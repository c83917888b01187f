// The record of the index workloads: a person with an index and a unique constraint.

import Foundation
import Trove

/// The properties of a person, with and without indexes.
protocol PersonRecord: Equatable, Sendable {
    var id: Int64 { get }
    var name: String { get set }
    var age: Int { get set }
    var email: String { get }
    var created: Date { get }

    init(id: Int64, name: String, age: Int, email: String, created: Date)
}

extension PersonRecord {
    init(_ other: some PersonRecord) {
        self.init(id: other.id, name: other.name, age: other.age, email: other.email, created: other.created)
    }
}

@IndexKeyRecord("id")
struct IndexedPerson: PersonRecord {
    #Index<IndexedPerson>(\.age)
    #Unique<IndexedPerson>(\.email, collisions: .throw)

    let id: Int64
    var name: String
    var age: Int
    var email: String
    var created: Date
}

extension IndexedPerson {
    /// The ages of people: 0 to 99, equally frequent.
    static let ages = 0..<100

    /// Creates the person of a number, always with the same contents. Neither ages nor e-mail addresses ascend with the
    /// ids.
    init(number: Int) {
        // Multiplication by an odd factor maps each number of 32 bits to a different number.
        let scattered = UInt32(truncatingIfNeeded: number) &* 2_654_435_769
        self.init(
            id: Int64(number), name: "Person number \(100_000 + number)", age: number * 37 % Self.ages.count,
            email: "person\(1_000_000_000 + UInt64(scattered))@example.com",
            created: Date(timeIntervalSinceReferenceDate: Double(number)))
    }

    /// The person under another name of the same length.
    var renamed: IndexedPerson {
        var person = self
        person.name = "Renamed \(name.dropFirst(8))"
        return person
    }
}

/// A ``Person`` as a later program declares it: with an index.
@IndexKeyRecord(keyPrefix: 2, "id")
struct AgedPerson: PersonRecord {
    #Index<AgedPerson>(\.age)

    let id: Int64
    var name: String
    var age: Int
    var email: String
    var created: Date
}
