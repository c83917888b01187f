// The types of `CustomMigrationTests.swift`, whose own code converts old records.

import Foundation
import Trove

/// Three versions by hand. Each step is written once.
enum Employee {
    @IndexKeyRecord(keyPrefix: 6_400_001, fieldsVersion: 1, "id")
    struct One: Hashable {
        let id: Int
        var name: String
    }

    @IndexKeyRecord(keyPrefix: 6_400_001, fieldsVersion: 2, "id")
    struct Two: Hashable {
        let id: Int
        var first: String
        var last: String
    }

    @IndexKeyRecord(keyPrefix: 6_400_001, fieldsVersion: 3, "id")
    struct Three: Hashable {
        let id: Int
        var first: String
        var last: String
        var initials: String

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> Three {
            var old = old
            if version < 2 {
                let words = try old.value("name", as: String.self).split(separator: " ")
                old.fields.append(.init("first", .string(words.first.map(String.init) ?? "")))
                old.fields.append(.init("last", .string(words.last.map(String.init) ?? "")))
            }
            let (first, last) = (try old.value("first", as: String.self), try old.value("last", as: String.self))
            let initials = String(first.prefix(1) + last.prefix(1))
            return Three(id: try old.value("id", as: Int.self), first: first, last: last, initials: initials)
        }
    }
}

/// Errors in migrations by hand.
enum Wrong {
    struct Refusal: Error, Hashable { var id: Int }

    @IndexKeyRecord(keyPrefix: 6_400_002, "id")
    struct Old: Hashable {
        let id: Int
        var text: String
    }

    /// Refuses a record.
    @IndexKeyRecord(keyPrefix: 6_400_002, "id")
    struct Picky: Hashable {
        let id: Int
        var size: Int

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> Picky {
            let id = try old.value("id", as: Int.self)
            if id == 3 { throw Refusal(id: id) }
            return Picky(id: id, size: try old.value("text", as: String.self).count)
        }
    }

    /// Reads a missing field, or a value of another type.
    @IndexKeyRecord(keyPrefix: 6_400_002, "id")
    struct Asking: Hashable {
        let id: Int
        var size: Int

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> Asking {
            let id = try old.value("id", as: Int8.self)
            return Asking(id: Int(id), size: try old.value("size", as: Int.self))
        }
    }

    /// Changes the key of a record.
    @IndexKeyRecord(keyPrefix: 6_400_002, "id")
    struct Wandering: Hashable {
        let id: Int
        var text: String
        var size: Int

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> Wandering {
            let id = try old.value("id", as: Int.self)
            return Wandering(id: id == 3 ? 4 : id, text: try old.value("text", as: String.self), size: 1)
        }
    }

    /// Converts the first record of a version, and refuses the third.
    @IndexKeyRecord(keyPrefix: 6_400_002, "id")
    struct Wavering: Hashable {
        let id: Int
        var size: Int

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> Wavering {
            let id = try old.value("id", as: Int.self)
            if id == 3 { throw unsupportedMigration(from: version) }
            return Wavering(id: id, size: 1)
        }
    }

    /// Reads other bytes than the stored bytes.
    @IndexKeyRecord(keyPrefix: 6_400_002, "id")
    struct Misreading: Hashable {
        let id: Int
        var size: Int
    }

    /// Returns an unencodable record.
    @IndexKeyRecord(keyPrefix: 6_400_002, "id")
    struct Unwritable {
        let id: Int
        var content: Refusing

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> Unwritable {
            let id = try old.value("id", as: Int.self)
            return Unwritable(id: id, content: Refusing(refuses: id == 3))
        }
    }
}

/// Three methods for three versions.
enum Ways {
    @IndexKeyRecord(keyPrefix: 6_400_003, fieldsVersion: 1, "id")
    struct One: Hashable { let id: Int }

    @IndexKeyRecord(keyPrefix: 6_400_003, fieldsVersion: 2, "id")
    struct Two: Hashable {
        let id: Int
        var name: String
    }

    @IndexKeyRecord(keyPrefix: 6_400_003, fieldsVersion: 3, "id")
    struct Three: Hashable {
        let id: Int
        var name: String
        var size: Int8
    }

    @IndexKeyRecord(keyPrefix: 6_400_003, fieldsVersion: 4, "id")
    struct Four: Hashable {
        let id: Int
        var name: String
        var size: Int = 7
    }
}

extension Ways.Four {
    init(decoding reader: inout RecordReader, version: UInt32) throws {
        guard version == 1 else { throw Self.unsupportedMigration(from: version) }
        self.init(id: try Int(decodingKey: &reader.key), name: "initializer")
    }

    static func migrate(_ old: StoredFields, from version: UInt32) throws -> Self {
        guard version == 2 else { throw unsupportedMigration(from: version) }
        return Self(id: try old.value("id", as: Int.self), name: "function")
    }
}

extension Wrong.Misreading {
    init(decoding reader: inout RecordReader, version: UInt32) throws {
        self.init(id: try Int(decodingKey: &reader.key), size: try Int(decoding: &reader.fields))
    }
}
