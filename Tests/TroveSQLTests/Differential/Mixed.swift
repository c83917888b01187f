// The record types of random statements, and the same tables in SQLite itself.

import Foundation
import Trove
import TroveSQL
import TroveTestSupport

@IndexKeyRecord("id")
struct Mixed: Sendable {
    #Index<Mixed>(\.small)
    #Index<Mixed>(\.maybe)
    #Index<Mixed>(\.name, \.small.desc)
    #Index<Mixed>(\.note)
    #Index<Mixed>(\.ratio)
    #Index<Mixed>(\.score.desc)
    #Index<Mixed>(\.flag, \.created)
    #Index<Mixed>(\.created)
    #Index<Mixed>(\.tag)
    #Index<Mixed>(\.bytes)
    #Unique<Mixed>(\.code, collisions: .throw)

    let id: Int
    var small: Int16
    var maybe: Int?
    var name: String
    var note: String?
    var ratio: Double
    var score: Float?
    var flag: Bool
    var bytes: Data
    var created: Date
    var tag: UUID
    var code: String?
}

@IndexKeyRecord("group", "number")
struct Pair: Sendable {
    #Index<Pair>(\.value)
    #Index<Pair>(\.moment.desc)

    let group: String
    let number: Int32
    var value: Int?
    var moment: Date?
}

/// Texts after integers in the key, integers of which some are text in SQL, and long entries of an index.
@IndexKeyRecord("owner", "name")
struct File: Sendable {
    #Index<File>(\.kind, \.note)
    #Index<File>(\.wide)

    let owner: Int
    let name: String
    var wide: UInt64
    var kind: Int8
    var note: String
}

/// Indexes of elements and of texts, and an index whose condition only the program has.
@IndexKeyRecord("id")
struct Labeled: Hashable, Sendable {
    #Index<Labeled>(\.labels.each)
    #FullTextIndex<Labeled>(\.title, \.note)
    #Index<Labeled>(\.rank, where: { $0.rank > 5 })

    let id: Int
    var title: String
    var note: String?
    var labels: [String]
    var rank: Int
}

extension Labeled {
    /// The values in SQL.
    var values: [SQLValue] {
        let json = "[" + labels.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        return [id.sqlValue, title.sqlValue, note.sqlValue, json.sqlValue, rank.sqlValue]
    }
}

/// A record type of random statements.
protocol NativeRecord: IndexKeyRecord, Sendable {
    static var columns: [(name: String, type: String)] { get }
    var values: [SQLValue] { get }
}

extension Mixed: NativeRecord {
    static let columns = [
        ("id", "INTEGER"), ("small", "INTEGER"), ("maybe", "INTEGER"), ("name", "TEXT"), ("note", "TEXT"),
        ("ratio", "REAL"), ("score", "REAL"), ("flag", "BOOLEAN"), ("bytes", "BLOB"), ("created", "TEXT"),
        ("tag", "TEXT"), ("code", "TEXT"),
    ].map { (name: $0.0, type: $0.1) }

    var values: [SQLValue] {
        [
            id.sqlValue, small.sqlValue, maybe.sqlValue, name.sqlValue, note.sqlValue, ratio.sqlValue,
            score.sqlValue, flag.sqlValue, bytes.sqlValue, created.sqlValue, tag.sqlValue, code.sqlValue,
        ]
    }
}

extension Pair: NativeRecord {
    static let columns = [("group", "TEXT"), ("number", "INTEGER"), ("value", "INTEGER"), ("moment", "TEXT")]
        .map { (name: $0.0, type: $0.1) }

    var values: [SQLValue] { [group.sqlValue, number.sqlValue, value.sqlValue, moment.sqlValue] }
}

extension File: NativeRecord {
    static let columns = [("owner", "INTEGER"), ("name", "TEXT"), ("wide", ""), ("kind", "INTEGER"), ("note", "TEXT")]
        .map { (name: $0.0, type: $0.1) }

    var values: [SQLValue] { [owner.sqlValue, name.sqlValue, wide.sqlValue, kind.sqlValue, note.sqlValue] }
}

/// Random contents.
struct MixedValues {
    var random: SeededGenerator
    /// Whether moments outside the years 0000 to 9999, and NaN, are among them.
    var isIrregular = false

    static let texts = [
        "", "a", "A", "abc", "abd", "Abc", "b", "30", "030", "29.5", " 7", "1e2", "ä", "zz", "a\u{1}b", "a%", "x'y",
        "abcdef",
    ]
    static let numbers: [Int] = [-3, -1, 0, 1, 2, 7, 29, 30, 31, 100]
    static let reals: [Double] = [-1.5, -0.0, 0, 0.5, 1, 7, 29.5, 30, 1e10, .infinity, -.infinity]
    static let moments: [Double] = [
        0, 1, 0.5, -1, 86_400, 736_300_800, 736_300_800.25, -63_145_526_400, 252_423_993_599, 1e8,
    ]
    static let irregularMoments: [Double] = [-63_145_526_401, 252_423_993_600, 1e300, .infinity]

    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func moment() -> Date {
        let all = isIrregular && chance(15) ? Self.irregularMoments : Self.moments
        return Date(timeIntervalSinceReferenceDate: pick(all))
    }

    mutating func uuid() -> UUID {
        let byte = UInt8.random(in: 0...3, using: &random) * 64
        return UUID(uuid: (byte, byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xAB, 0xCD, 0xEF, byte))
    }

    mutating func mixed(_ id: Int) -> Mixed {
        Mixed(
            id: id, small: Int16(pick(Self.numbers)), maybe: chance(30) ? nil : pick(Self.numbers),
            name: pick(Self.texts),
            note: chance(30) ? nil : pick(Self.texts), ratio: isIrregular && chance(10) ? .nan : pick(Self.reals),
            score: chance(30) ? nil : Float(pick(Self.reals)), flag: chance(50), bytes: Data(pick(Self.texts).utf8),
            created: moment(), tag: uuid(), code: chance(50) ? nil : "\(pick(Self.texts))\(id)")
    }

    static let wideNumbers: [UInt64] = [0, 1, 30, 1 << 53, 1 << 53 + 1, 1 << 63 - 1, 1 << 63, .max - 1, .max]

    mutating func file(_ number: Int) -> File {
        File(
            owner: number % 12 - 2, name: pick(Self.texts) + (chance(20) ? "\(number)" : ""),
            wide: pick(Self.wideNumbers), kind: Int8(pick([0, 1, 2])),
            note: chance(10) ? String(repeating: pick(["a", "b"]), count: 600) + "\(number)" : pick(Self.texts))
    }

    static let words = ["wolf", "fox", "hare", "owl", "a", "the"]

    mutating func words(_ limit: Int) -> [String] {
        (0..<Int.random(in: 0...limit, using: &random)).map { _ in pick(Self.words) }
    }

    mutating func labeled(_ id: Int) -> Labeled {
        Labeled(
            id: id, title: words(4).joined(separator: " "), note: chance(30) ? nil : words(9).joined(separator: " "),
            labels: words(4), rank: Int.random(in: 0...10, using: &random))
    }

    mutating func pair(_ number: Int) -> Pair {
        Pair(
            group: pick(["", "a", "b", "30", "ab\u{0}c"]), number: Int32(number - 5),
            value: chance(20) ? nil : pick(Self.numbers), moment: chance(20) ? nil : moment())
    }
}
