// Types with equal names or hashes (they must stay distinct), and types in several versions.

import Foundation
import Trove

/// The sdbm hashes of `Fejar` and `Gistun` are equal.
@IndexKeyRecord("id")
struct Fejar: Hashable {
    let id: Int
    var text: String
}

@IndexKeyRecord("id")
struct Gistun: Hashable {
    let id: Int
    var text: String
}

/// `Fejar` under another name, which claims its records.
@IndexKeyRecord(keyPrefix: 577_100_124, "id")
struct Renamed: Hashable {
    let id: Int
    var text: String
}

/// The next two prefixes.
@IndexKeyRecord(keyPrefix: 577_100_125, "id")
struct FirstNeighbour { let id: Int }

@IndexKeyRecord(keyPrefix: 577_100_126, "id")
struct SecondNeighbour { let id: Int }

/// Two types of the same name in the same module.
enum Here {
    @IndexKeyRecord("id")
    fileprivate struct Session { let id: Int }

    static func insert(in context: TransactionContext) throws { try context.insert(Session(id: 1)) }
}

// MARK: One type in several versions: the prefix is a claim to the same records

@IndexKeyRecord(keyPrefix: 4_000_001, "code")
struct Plane1: Hashable {
    let code: String
    var seats: Int
    var year: Int
}

@IndexKeyRecord(keyPrefix: 4_000_001, "code")
struct Plane2: Hashable {
    let code: String
    var year: Int
    var seats: Int
    var name: String?
}

extension Plane2 {
    init(decoding reader: inout RecordReader, version: UInt32) throws {
        guard version == Plane1.fieldsVersion else { throw Self.unsupportedMigration(from: version) }
        let old = try Plane1(decoding: &reader)
        self.init(code: old.code, year: old.year, seats: old.seats, name: "migrated")
    }
}

/// A version without conversions from other versions: a number does not become a date.
@IndexKeyRecord(keyPrefix: 4_000_001, "code")
struct Plane3: Hashable {
    let code: String
    var year: Date
}

@IndexKeyRecord(keyPrefix: 4_000_001, "code")
struct PlaneWithAnotherKey: Hashable {
    let code: Int
    var year: Int
}

@IndexKeyRecord(keyPrefix: 4_000_001, "code")
struct RenamedPlane: Hashable {
    let code: String
    var seats: Int
    var year: Int
}

// MARK: Versions by hand

@IndexKeyRecord(keyPrefix: 4_000_002, fieldsVersion: 7, "code")
struct Numbered1: Hashable {
    let code: String
    var year: Int
}

@IndexKeyRecord(keyPrefix: 4_000_002, fieldsVersion: 7, "code")
struct Numbered2: Hashable {
    let code: String
    var year: Int32
}

// MARK: Changes of a layout

enum Layouts {
    enum First {
        @RecordValue struct Inner { var a: Int }
        @IndexKeyRecord("key") struct Plain { let key: Int; var a: Int; var b: Int }
        @IndexKeyRecord("key") struct Nesting { let key: Int; var inner: Inner? }
    }

    enum Second {
        @RecordValue struct Inner { var a: Int; var b: Bool }
        @IndexKeyRecord("key") struct Plain { let key: Int; var b: Int; var a: Int }
        @IndexKeyRecord("key") struct Nesting { let key: Int; var inner: Inner? }
    }

    enum Third {
        @RecordValue struct Inner { var a: Int }
        @IndexKeyRecord("key") struct Plain { let key: Int; var a: Int; var b: Int }
        @IndexKeyRecord("key") struct Nesting { let key: Int; var inner: Inner? }
    }
}
