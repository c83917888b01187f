// Declarations with coding keys, old names and default values. The compilation of this file without a warning is half
// of the test; the other half is `StoredNameTests.swift`.

import Foundation
import Trove

@IndexKeyRecord("number", "class")
struct NamedByKeys: Codable, Equatable {
    @Renamed("id") let number: Int
    let `class`: String
    @Trove.Renamed("full name") var fullName: String
    var cache: Int = 7
    var place: NamedValue

    private enum CodingKeys: String, CodingKey {
        case number = "nr"
        case `class`, fullName = "name"
        case place
    }
}

@RecordValue
struct NamedValue: Codable, Equatable {
    var street: String
    var city: String = "Salem"

    enum CodingKeys: String, CodingKey { case street = "a \"road\"\n", city }
}

/// A field of each kind, with a default value of each form.
@IndexKeyRecord("id")
struct ManyDefaults: Equatable {
    enum Level: Int, RecordValue {
        case low = 1
        case high
        static let usual = Level.high
    }

    @RecordValue
    struct Size: Equatable {
        var width: Double
        var height: Double = 2
    }

    static let sample = ManyDefaults(without: 0)
    private static let limit = 40
    private static func makeText(_ count: Int) -> String { String(repeating: "x", count: count) }

    var id: UUID = UUID()
    var score: Double = 1
    var negative: Int8 = -5
    var optional: Int? = 3
    var noValue: String? = nil
    var none: String?
    var without: Int
    var level: Level = .high
    var usual: Level? = .usual
    var mood: Mood = .wild
    var moods: [Mood] = [.calm, Mood.wild]
    var tags: Set<String> = []
    var counts: [String: [Int]] = ["a": [1, 2]]
    var born: Date = Date(timeIntervalSinceReferenceDate: 0.5)
    var data: Data = .init([1, 2])
    var bytes: [UInt8] = Array(repeating: 9, count: 3)
    var size: Size = Size(width: 1)
    var shape: Shape = .group([.empty, .circle(radius: 1)])
    var note: Note = Note(text: "n", stars: Self.limit)
    private(set) var watched: Int = Self.limit + 2 { didSet {} }
    private var made: String = Self.makeText(3)
    @Clamped var clamped: Int = 9
    var called: Int = { (1...4).reduce(0, +) }()
    var chosen: String = if limit == 40 { "forty" } else { "other" }
    var a: Int16 = 1, b: UInt16 = 0xFFFF
    var text: String = """
        first

          "second" \(limit)
        """
    var commented: [Int] = [
        1,  // one
        2,
    ]
    var large: UInt64 = .max
    var decimal: Decimal = 1.5
    var address: URL? = URL(string: "https://example.org")
    var ternary: Float = 1 > 2 ? 0.5 : 0.25
}

/// Names in the type around a record, not visible to its extension.
public enum DefaultsOutside {
    enum Room: String, RecordValue { case north, south }
    static let standard = Room.south
    static func room(_ index: Int) -> Room { index == 0 ? .north : .south }

    /// A record.
    @IndexKeyRecord("id")
    public struct Book: Equatable {
        static let sample = Book(id: 1)
        private static let first = 0

        let id: Int
        var plain: Room = .north
        var named: Room = Room.south
        var list: [Room] = [Room.north, standard]
        fileprivate var made: Room? = room(Self.first)
        var `class`: Room = { Room.south }()
        var number: Int = Self.first + 4
        var shelf: Shelf = Shelf(room: Room.north)

        @RecordValue
        struct Shelf: Equatable {
            var room: DefaultsOutside.Room
        }
    }
}

@MainActor
@IndexKeyRecord("name")
struct MainActorDefaults {
    let name: String
    var count: Int = 4
    var kinds: [Mood] = [.calm]
}
