// The values of columns of each type, by the stored layout alone.

import Foundation
import Testing
import Trove
import TroveSQL

struct ValueTests {
    static func various(_ id: Int) -> Various {
        Various(
            id: id, small: -5, wide: id == 0 ? 7 : .max, huge: id == 0 ? -7 : .min, ratio: id == 0 ? 1.5 : .nan,
            score: id == 0 ? 0.5 : nil, flag: id == 0, text: "é\u{0}x", note: id == 0 ? "n" : nil,
            bytes: Data([0, 1, 255]), tag: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xAB)),
            moment: Date(timeIntervalSinceReferenceDate: id == 0 ? 736_300_800.25 : 1e300),
            price: id == 0 ? Decimal(string: "12.50")! : Decimal(string: "12345678901234567890.123")!,
            link: id == 0
                ? URL(string: "https://example.com/a")! : URL(string: "b", relativeTo: URL(string: "https://e.org/"))!,
            mood: .loud, shape: id == 0 ? .dot : .circle(radius: 3), home: Home(city: "Oslo", number: 4),
            numbers: [1, 2], places: ["a": 1], maybe: id == 0 ? nil : Home(city: "Rome", number: 1))
    }

    @Test func eachType_hasItsForm() throws {
        let store = try Store.temporary(records: [Various.self])
        try store.write { context in for id in 0..<2 { try context.insert(Self.various(id)) } }
        let rows = try store.sql("SELECT * FROM Various ORDER BY id")
        #expect(rows.count == 2)
        let first = rows[0], second = rows[1]
        #expect(first["small"] == .integer(-5))
        #expect(first["wide"] == .integer(7))
        #expect(second["wide"] == .text("18446744073709551615"))
        #expect(first["huge"] == .integer(-7))
        #expect(second["huge"] == .text("-170141183460469231731687303715884105728"))
        #expect(first["ratio"] == .real(1.5))
        #expect(second["ratio"] == .null)
        #expect(first["score"] == .real(0.5))
        #expect(second["score"] == .null)
        #expect(first["flag"] == .integer(1))
        #expect(first["text"] == .text("é\u{0}x"))
        #expect(second["note"] == .null)
        #expect(first["bytes"] == .blob([0, 1, 255]))
        #expect(first["tag"] == .text("01020304-0506-0708-090A-0B0C0D0E0FAB"))
        #expect(first["moment"] == .text("2024-05-02 00:00:00.25"))
        #expect(second["moment"] == .text("1e+300"))
        #expect(first["price"] == .real(12.5))
        #expect(second["price"] == .text("12345678901234567890.123"))
        #expect(first["link"] == .text("https://example.com/a"))
        #expect(second["link"] == .text("b <https://e.org/>"))
        #expect(first["mood"] == .text("loud"))
        #expect(first["shape"] == .text("dot"))
        #expect(second["shape"] == .text(#"{"circle":{"radius":3}}"#))
        #expect(first["home"] == .text(#"{"city":"Oslo","number":4}"#))
        #expect(first["numbers"] == .text("[1,2]"))
        #expect(first["places"] == .text(#"{"a":1}"#))
        #expect(first["maybe"] == .null)
        #expect(second["maybe"] == .text(#"{"city":"Rome","number":1}"#))
        #expect(try store.sql("SELECT home ->> '$.city' FROM Various WHERE id = 0", as: String.self) == ["Oslo"])
        #expect(
            try store.sql("SELECT json_object('h', home) FROM Various WHERE id = 0", as: String.self)
                == [#"{"h":{"city":"Oslo","number":4}}"#])
        #expect(try store.sql("SELECT home FROM Various", as: SQLJSON<Home>.self).map(\.value.number) == [4, 4])
        #expect(try store.sql("SELECT mood FROM Various", as: Mood.self) == [.loud, .loud])
        #expect(try store.sql("SELECT moment FROM Various", as: Date.self).first == Self.various(0).moment)
        #expect(
            try store.sql("SELECT price FROM Various ORDER BY id", as: Decimal.self)
                == [0, 1].map { Self.various($0).price })
    }

    @Test func theWholeRecord_decodesFromARow() throws {
        struct Part: Decodable, Equatable {
            var id: Int
            var home: Home
            var numbers: [Int]
            var tag: UUID
            var bytes: Data
            var mood: Mood
            var maybe: Home?
        }
        let store = try Store.temporary(records: [Various.self])
        try store.insert(Self.various(1))
        let parts = try store.sql("SELECT * FROM Various", as: Part.self)
        let whole = Self.various(1)
        #expect(
            parts == [
                Part(
                    id: 1, home: whole.home, numbers: whole.numbers, tag: whole.tag, bytes: whole.bytes, mood: .loud,
                    maybe: whole.maybe)
            ])
    }

    @Test func aStoreWithoutItsTypes_isReadByItsLayouts() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("trove-sql-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appendingPathComponent("store").path
        do {
            let store = try Store(path: path, records: [User.self])
            try store.insert(User(id: 1, name: "Ann", email: "a", age: 3, city: "Oslo"))
            try store.close()
        }
        let store = try Store(path: path, options: StoreOptions(isReadOnly: true))
        #expect(try store.sql("SELECT name, age FROM User WHERE age = 3", as: (String, Int).self).first?.0 == "Ann")
    }

    @Test func moments_areReadInSeveralForms() {
        let moment = Date(timeIntervalSinceReferenceDate: 736_300_800)
        for text in [
            "2024-05-02", "2024-05-02 00:00:00", "2024-05-02T00:00:00Z", "2024-05-02 02:00:00+02:00",
            "2024-05-02 00:00",
        ] {
            #expect(Date(sqlValue: .text(text)) == moment, "\(text)")
        }
        #expect(Date(sqlValue: .text("yesterday")) == nil)
        #expect(Date(sqlValue: .integer(0)) == Date(timeIntervalSince1970: 0))
        #expect(Date(timeIntervalSinceReferenceDate: -0.0).sqlValue == .text("2001-01-01 00:00:00"))
    }

    @Test func integersOutOfRange_areNoValues() {
        #expect(Int8(sqlValue: .integer(128)) == nil)
        #expect(Int8(sqlValue: .real(3)) == 3)
        #expect(Int8(sqlValue: .real(3.5)) == nil)
        #expect(UInt64(sqlValue: UInt64.max.sqlValue) == .max)
        #expect(Int128(sqlValue: Int128.min.sqlValue) == .min)
        #expect(Bool(sqlValue: .integer(2)) == nil)
    }
}
