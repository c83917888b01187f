// The types of `MigrationTests.swift`: each enum represents a program; types with the same prefix are versions of one
// type.

import Foundation
import LMDB
import Trove

enum FirstProgram {
    @RecordValue struct Wheel: Hashable { var size: Int8 }
    @RecordValue enum State: Hashable { case parked, moving(speed: Int8), lost }

    @IndexKeyRecord(keyPrefix: 5_000_001, "id")
    struct Car: Hashable {
        let id: Int
        var name: String
        var seats: Int8
        var price: Int
        var owner: String?
        var wheels: [Wheel]
        var state: State
        var removed: Bool
    }
}

enum SecondProgram {
    @RecordValue struct Wheel: Hashable {
        var tyre: String?
        var size: Int
    }
    @RecordValue enum State: Hashable { case moving(speed: Double), parked }

    @IndexKeyRecord(keyPrefix: 5_000_001, "id")
    struct Car: Hashable {
        let id: Int
        @Renamed("name") var title: String
        var wheels: [Wheel]
        var seats: Int
        var price: Double
        var owner: String = "nobody"
        var colour: String?
        var doors: Int = 4
        var state: State
    }
}

/// A change beyond the rules.
enum ThirdProgram {
    @IndexKeyRecord(keyPrefix: 5_000_001, "id")
    struct Car: Hashable {
        let id: Int
        var words: [String]

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> Car {
            guard version == FirstProgram.Car.fieldsVersion else { throw unsupportedMigration(from: version) }
            let name = try old.value("name", as: String.self)
            return Car(id: try old.value("id", as: Int.self), words: name.split(separator: " ").map(String.init))
        }
    }
}

/// A type with conversions of its own, in addition to the rules.
enum FourthProgram {
    /// A property wrapper for a rating from one to five.
    @propertyWrapper struct Stars: Hashable, Sendable {
        var wrappedValue: Int { didSet { wrappedValue = min(max(wrappedValue, 1), 5) } }

        init(wrappedValue: Int) { self.wrappedValue = min(max(wrappedValue, 1), 5) }
    }

    enum Level: String, RecordValue { case low, high }

    @IndexKeyRecord(keyPrefix: 5_000_002, "place")
    struct Visit: Hashable {
        @Renamed("town") let place: String
        @Stars var stars: Int
        @Stars var others: Int = 9
        var level: Level = .low
        var mark: UUID = UUID()
    }
}

enum BeforeFourthProgram {
    @IndexKeyRecord(keyPrefix: 5_000_002, "town")
    struct Visit: Hashable {
        let town: String
        var stars: Int8
        var level: String
    }
}

/// A type with a custom layout.
struct Sealed: RecordValue, Hashable {
    var value: Int8

    static func describe(in layout: inout LayoutBuilder) { layout.append("Sealed") }
    var encodedSize: Int { 1 }
    func encode(into writer: inout ValueWriter) { value.encode(into: &writer) }
    init(value: Int8) { self.value = value }
    init(decoding reader: inout ValueReader) throws(CodingError) { value = try Int8(decoding: &reader) }
}

enum SealedProgram {
    @IndexKeyRecord(keyPrefix: 5_000_003, "id")
    struct Box: Hashable {
        let id: Int
        var content: Sealed
    }
}

enum UnsealedProgram {
    @IndexKeyRecord(keyPrefix: 5_000_003, "id")
    struct Box: Hashable {
        let id: Int
        var note: String?
        var content: Sealed
    }
}

enum SmallTreeProgram {
    @RecordValue struct Node: Hashable {
        var value: Int8
        var children: [Node]
    }

    @IndexKeyRecord(keyPrefix: 5_000_005, "id")
    struct Tree: Hashable {
        let id: Int
        var root: Node
    }
}

enum LargeTreeProgram {
    @RecordValue struct Node: Hashable {
        var children: [Node]
        var note: String?
        var value: Int
    }

    @IndexKeyRecord(keyPrefix: 5_000_005, "id")
    struct Tree: Hashable {
        let id: Int
        var root: Node
    }
}

/// Three methods for three versions. The calls are counted.
enum CountedProgram {
    static let calls = Counter()

    final class Counter: Sendable {
        private let counts = Monitor<(initializer: Int, function: Int)>((0, 0))

        func initializer() { counts.withLock { $0.initializer += 1 } }
        func function() { counts.withLock { $0.function += 1 } }

        func take() -> [Int] {
            counts.withLock { counts in
                defer { counts = (0, 0) }
                return [counts.initializer, counts.function]
            }
        }
    }

    @IndexKeyRecord(keyPrefix: 5_000_004, fieldsVersion: 1, "id")
    struct One: Hashable { let id: Int }

    @IndexKeyRecord(keyPrefix: 5_000_004, fieldsVersion: 2, "id")
    struct Two: Hashable {
        let id: Int
        var name: String
    }

    @IndexKeyRecord(keyPrefix: 5_000_004, fieldsVersion: 3, "id")
    struct Three: Hashable {
        let id: Int
        var name: String
        var size: Int8
    }

    @IndexKeyRecord(keyPrefix: 5_000_004, fieldsVersion: 4, "id")
    struct Four: Hashable {
        let id: Int
        var name: String
        var size: Int = 7
    }
}

extension CountedProgram.Four {
    init(decoding reader: inout RecordReader, version: UInt32) throws {
        CountedProgram.calls.initializer()
        guard version == 1 else { throw Self.unsupportedMigration(from: version) }
        self.init(id: try Int(decodingKey: &reader.key), name: "initializer")
    }

    static func migrate(_ old: StoredFields, from version: UInt32) throws -> Self {
        CountedProgram.calls.function()
        guard version == 2 else { throw unsupportedMigration(from: version) }
        return Self(id: try old.value("id", as: Int.self), name: "function")
    }
}
