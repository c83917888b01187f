// The values of SQL that properties of each type take, and those that they refuse.

import Foundation
import Testing
import Trove
import TroveSQL
import TroveTestSupport

struct StoredValueTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Stored.self, Entry.self])
        try store.insert(Stored(id: 1))
    }

    private func record() throws -> Stored { try #require(try store.get(Stored.self, key: 1)) }

    /// Sets a column, and returns the record.
    private func set(_ column: String, _ value: some SQLColumn) throws -> Stored {
        #expect(try store.write(sql: "UPDATE Stored SET \(raw: column) = \(value) WHERE id = 1").changes == 1)
        return try record()
    }

    private func expectRefusal(
        _ column: String, _ value: SQLValue, _ words: String, code: Int = 3091,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let before = try record()
        let error = #expect(throws: SQLError.self, sourceLocation: location) {
            try store.write(sql: "UPDATE Stored SET \(raw: column) = \(value) WHERE id = 1")
        }
        #expect(error?.code == code, sourceLocation: location)
        let message = error?.message ?? ""
        #expect(message.hasPrefix("Stored.\(column) cannot"), "\(message)", sourceLocation: location)
        #expect(message.contains(words), "\(message)", sourceLocation: location)
        #expect(try record() == before, sourceLocation: location)
    }

    // MARK: Numbers

    @Test func integers_takeWholeNumbers() throws {
        #expect(try set("small", -128).small == -128)
        #expect(try set("small", 3.0).small == 3)
        #expect(try set("small", "127").small == 127)
        #expect(try set("small", " 12 ").small == 12)
        #expect(try set("small", "1e2").small == 100)
        #expect(try set("unsigned", 65_535).unsigned == 65_535)
        try expectRefusal("small", .integer(128), "an integer from -128 to 127")
        try expectRefusal("small", .integer(-129), "-129")
        try expectRefusal("small", .real(3.5), "3.5")
        try expectRefusal("small", .text("3.5"), "'3.5'")
        try expectRefusal("small", .text("three"), "an integer")
        try expectRefusal("small", .text(""), "an integer")
        try expectRefusal("small", .text("inf"), "an integer")
        try expectRefusal("small", .real(.infinity), "an integer")
        try expectRefusal("small", .blob([49]), "an integer")
        try expectRefusal("unsigned", .integer(-1), "from 0 to 65535")
    }

    @Test func wideIntegers_takeDigits() throws {
        #expect(try set("wide", UInt64.max).wide == .max)
        #expect(try set("wide", "18446744073709551614").wide == .max - 1)
        #expect(try set("wide", 5).wide == 5)
        #expect(try set("huge", Int128.min).huge == .min)
        #expect(try set("huge", "-00000000000000000000000000000000000007").huge == -7)
        #expect(try set("hugest", UInt128.max).hugest == .max)
        #expect(try set("hugest", 3.0).hugest == 3)
        try expectRefusal("wide", .integer(-1), "from 0 to 18446744073709551615")
        try expectRefusal("wide", .text("18446744073709551616"), "an integer")
        try expectRefusal("hugest", .text("-1"), "not negative")
    }

    @Test func realNumbers_takeNumbers() throws {
        #expect(try set("ratio", 1.5).ratio == 1.5)
        #expect(try set("ratio", 3).ratio == 3)
        #expect(try set("ratio", "2.5e1").ratio == 25)
        #expect(try set("ratio", Double.infinity).ratio == .infinity)
        #expect(try set("score", 0.1).score == 0.1)
        #expect(try set("score", nil as Double?).score == nil)
        try expectRefusal("ratio", .text("nan"), "a number")
        try expectRefusal("ratio", .text("0x10"), "a number")
        try expectRefusal("ratio", .null, "NULL", code: 1299)
    }

    /// NaN is NULL in SQL, and a statement that does not change it keeps it.
    @Test func notANumber_isKept() throws {
        var record = try record()
        record.ratio = .nan
        try store.insert(record)
        try store.write(sql: "UPDATE Stored SET text = 'a'")
        #expect(try self.record().ratio.isNaN)
        try store.write(sql: "UPDATE Stored SET text = o.t FROM (SELECT 'b' AS t) AS o")
        #expect(try self.record().ratio.isNaN)
        #expect(try self.record().text == "b")
    }

    @Test func truth_isZeroOrOne() throws {
        #expect(try set("flag", 1).flag)
        #expect(try !set("flag", 0.0).flag)
        #expect(try set("flag", "1").flag)
        #expect(try !set("flag", false).flag)
        try expectRefusal("flag", .integer(2), "0 or 1")
        try expectRefusal("flag", .integer(-1), "0 or 1")
        try expectRefusal("flag", .text("true"), "0 or 1")
    }

    @Test func decimalNumbers_takeNumbersAndDigits() throws {
        #expect(try set("price", 12.5).price == Decimal(string: "12.5"))
        #expect(try set("price", 0.1).price == Decimal(string: "0.1"))
        #expect(try set("price", 7).price == 7)
        #expect(try set("price", "12345678901234567890.123").price == Decimal(string: "12345678901234567890.123"))
        #expect(try set("price", " -1.5e2 ").price == -150)
        #expect(try set("price", ".5").price == Decimal(string: "0.5"))
        for text in ["12 apples", "1.234.567", "12-3", "1e", "e5", ".", "-", "1 2"] {
            try expectRefusal("price", .text(text), "a number")
            #expect(throws: SQLError.self) { try store.sql("SELECT \(text)", as: Decimal.self) }
        }
        try expectRefusal("price", .text(""), "a number")
    }

    // MARK: Texts and bytes

    @Test func texts_takeTextsAndNumbers() throws {
        #expect(try set("text", "é\u{0}x").text == "é\u{0}x")
        #expect(try set("text", 3).text == "3")
        #expect(try set("text", 1.5).text == "1.5")
        #expect(try set("note", 1e20).note == "1.0e+20")
        #expect(try set("note", nil as String?).note == nil)
        try expectRefusal("text", .blob([65]), "a text")
        try expectRefusal("text", .null, "NULL", code: 1299)
        let error = #expect(throws: SQLError.self) {
            try store.write(sql: "UPDATE Stored SET text = CAST(x'FF' AS TEXT)")
        }
        #expect(error?.code == 3091 && error?.message.contains("UTF-8") == true)
    }

    @Test func bytes_takeBlobsAndTexts() throws {
        #expect(try set("bytes", Data([0, 255])).bytes == Data([0, 255]))
        #expect(try set("bytes", "é").bytes == Data("é".utf8))
        try expectRefusal("bytes", .integer(1), "a blob")
    }

    @Test func identifiers_takeTextsAndBytes() throws {
        let tag = UUID()
        #expect(try set("tag", tag).tag == tag)
        #expect(try set("tag", UUID().uuidString.lowercased()).tag != tag)
        let bytes = Data([16] + (1...15))
        #expect(try set("tag", bytes).tag.uuidString == "10010203-0405-0607-0809-0A0B0C0D0E0F")
        try expectRefusal("tag", .text("1234"), "a UUID")
        try expectRefusal("tag", .blob([1]), "16 bytes")
    }

    @Test func moments_takeTextsAndSeconds() throws {
        let moment = Date(timeIntervalSinceReferenceDate: 736_300_800)
        for text in [
            "2024-05-02", "2024-05-02 00:00:00", "2024-05-02T00:00:00Z", "2024-05-02 02:00:00+02:00", "1714608000",
        ] {
            _ = try set("moment", 0)
            #expect(try set("moment", text).moment == moment, "\(text)")
        }
        #expect(try set("moment", 1_714_608_000).moment == moment)
        #expect(try set("moment", 1_714_608_000.5).moment == moment + 0.5)
        #expect(
            try set("moment", Date(timeIntervalSinceReferenceDate: 1e300)).moment.timeIntervalSinceReferenceDate
                == 1e300)
        try store.write(sql: "UPDATE Stored SET moment = datetime('2024-05-02', '+1 day')")
        #expect(try record().moment == moment + 86_400)
        try expectRefusal("moment", .text("tomorrow"), "'2024-05-01 12:00:00'")
    }

    @Test func links_takeTexts() throws {
        let relative = try #require(URL(string: "b", relativeTo: URL(string: "https://e.org/")))
        #expect(try set("link", "https://example.com/a?b").link.absoluteString == "https://example.com/a?b")
        #expect(try set("link", relative).link == relative)
        try expectRefusal("link", .text(""), "a URL")
    }

    // MARK: Values with parts

    @Test func rawValues_areThoseOfTheType() throws {
        #expect(try set("mood", "loud").mood == .loud)
        #expect(try set("mood", Mood.calm).mood == .calm)
        try expectRefusal("mood", .text("angry"), "the type refuses it")
    }

    @Test func enums_takeNamesAndJSON() throws {
        #expect(try set("shape", #"{"circle":{"radius":3}}"#).shape == .circle(radius: 3))
        #expect(try set("shape", "dot").shape == .dot)
        #expect(try set("shape", #""dot""#).shape == .dot)
        #expect(try set("maybeShape", "dot").maybeShape == .dot)
        #expect(try set("maybeShape", nil as String?).maybeShape == nil)
        try expectRefusal("shape", .text("square"), "a case of the enum")
        try expectRefusal("shape", .text(#"{"circle":{"radius":"x"}}"#), "at radius")
        try expectRefusal("shape", .null, "NULL", code: 1299)
    }

    @Test func structs_takeJSON() throws {
        #expect(try set("home", #"{"number":4,"city":"Rome"}"#).home == Home(city: "Rome", number: 4))
        #expect(try set("maybe", SQLJSON(Home(city: "x", number: 2))).maybe == Home(city: "x", number: 2))
        #expect(try set("maybe", nil as String?).maybe == nil)
        try store.write(sql: "UPDATE Stored SET home = json_set(home, '$.city', 'Bonn')")
        #expect(try record().home == Home(city: "Bonn", number: 4))
        try expectRefusal("home", .text(#"{"city":"Rome"}"#), "at number")
        try expectRefusal("home", .text(#"{"city":"Rome","number":1,"x":2}"#), "a field of: city, number")
        try expectRefusal("home", .text("{}} "), "JSON with")
        try expectRefusal("home", .text(#"{"city":"","number":1},"other":{}"#), "JSON with")
        try expectRefusal("home", .blob([1]), "JSON")
        try expectRefusal("home", .null, "NULL", code: 1299)
    }

    @Test func collections_takeJSON() throws {
        #expect(try set("numbers", "[1,2]").numbers == [1, 2])
        #expect(try set("places", #"{"a":1}"#).places == ["a": 1])
        #expect(try set("labels", #"["b","a"]"#).labels == ["a", "b"])
        try store.write(sql: "UPDATE Stored SET numbers = json_insert(numbers, '$[#]', 9)")
        #expect(try record().numbers == [1, 2, 9])
        try expectRefusal("numbers", .text(#"[1,"x"]"#), "at [1]")
        try expectRefusal("labels", .text(#"["a","a"]"#), "once")
        try expectRefusal("numbers", .integer(3), "an array")
    }

    @Test func optionalsInOptionals_haveTwoKindsOfNil() throws {
        #expect(try set("twice", 3).twice == .some(.some(3)))
        #expect(try set("twice", "[null]").twice == .some(.none))
        #expect(try set("twice", nil as Int?).twice == .none)
        #expect(try set("twice", "[4]").twice == .some(.some(4)))
    }

    @Test func componentsWithParts_takeJSON() throws {
        let store = try Store.temporary(records: [Paired.self])
        let tag = UUID()
        let text = tag.uuidString.lowercased()
        try store.write { context in
            try context.sql("INSERT INTO Paired VALUES ('[1,\"a\"]', NULL, \(text), x'00FF')")
            try context.sql("INSERT INTO Paired VALUES ('[1,\"a\"]', 3, \(text), 'text')")
            try context.sql("UPDATE Paired SET pair = json_array(2, 'b') WHERE maybe = 3")
            try context.sql("UPDATE Paired SET maybe = 4 WHERE maybe IS NULL")
        }
        #expect(
            try Paired.query().resolve(in: store) == [
                Paired(pair: Tuple(1, "a"), maybe: 4, tag: tag, raw: [0, 255]),
                Paired(pair: Tuple(2, "b"), maybe: 3, tag: tag, raw: Array("text".utf8)),
            ])
        let error = #expect(throws: SQLError.self) { try store.write(sql: "UPDATE Paired SET pair = '[1]'") }
        #expect(error?.code == 3091 && error?.message.contains("Paired.pair") == true)
        let null = #expect(throws: SQLError.self) { try store.write(sql: "UPDATE Paired SET tag = NULL") }
        #expect(null?.code == 1299)
    }

    @Test func aPropertyOfUnknownLayout_isKept_andNotWritten() throws {
        let store = try Store.temporary(records: [Handmade.self])
        try store.insert(Handmade(id: 1, before: 2, code: Handmade.Code(number: 3), after: "a"))
        #expect(try store.write(sql: "UPDATE Handmade SET before = 9").changes == 1)
        #expect(try store.write(sql: "UPDATE Handmade SET id = 2 WHERE before = 9").changes == 1)
        for sql: SQL in [
            "UPDATE Handmade SET code = 'x'", "UPDATE Handmade SET after = 'x'",
            "INSERT INTO Handmade VALUES (5, 2, 3, 'a')",
        ] {
            let error = #expect(throws: SQLError.self) { try store.write(sql: sql) }
            #expect(
                error?.message.contains("only the program knows its layout") == true, "\(String(describing: error))")
        }
        #expect(
            try Handmade.query().resolve(in: store)
                == [Handmade(id: 2, before: 9, code: Handmade.Code(number: 3), after: "a")])
    }

    // MARK: Whole records

    @Test func aLeftOutColumn_isNull() throws {
        let error = #expect(throws: SQLError.self) { try store.write(sql: "INSERT INTO Stored(id) VALUES (2)") }
        #expect(error?.code == 1299 && error?.message.contains("Stored.small") == true)
        try store.write(sql: "INSERT INTO Entry(owner, rank, day) VALUES ('a', 1, 0)")
        #expect(try Entry.query().resolve(in: store).map(\.note) == [nil])
    }

    /// Values go out by a SELECT, and back by an INSERT into another store.
    @Test func values_comeBackAsTheyWere() throws {
        let other = try Store.temporary(records: [Stored.self])
        try store.insert(Self.full)
        var record = Self.full
        record.twice = .some(.none)
        try store.insert(Stored(id: 3, hugest: .max, twice: record.twice))
        for row in try store.sql("SELECT * FROM Stored") {
            let marks = SQL(raw: "(" + row.values.map { _ in "?" }.joined(separator: ",") + ")", arguments: row.values)
            try other.write(sql: "INSERT INTO Stored VALUES \(marks)")
        }
        #expect(try Stored.query().resolve(in: other) == Stored.query().resolve(in: store))
        try store.write { context in
            let before = try Stored.query().resolve(in: context)
            let columns = try context.sql(
                "SELECT name FROM pragma_table_info('Stored') WHERE name <> 'id'", as: String.self)
            let changes = columns.map { "\"\($0)\" = o.\"\($0)\"" }.joined(separator: ", ")
            try context.sql("UPDATE Stored SET \(raw: changes) FROM Stored o WHERE o.id = Stored.id")
            #expect(try Stored.query().resolve(in: context) == before)
        }
    }

    /// Random values are stored or refused. A stored value is shown as a value that leaves the record as it is.
    @Test func anyValue_isStoredOrRefused() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let texts = [
            "", " ", "0", "1", "-1", "127", "3.0", "1e400", "nan", "inf", "[null]", "[]", "{}", "[1,[2]]", "dot",
            "\"dot\"",
            "{\"circle\":{\"radius\":3}}", "loud", "2024-05-01", "99999-01-01", "01020304-0506-0708-090a-0b0c0d0e0fab",
            "https://e.org", "a\u{0}b", "{\"city\":\"\",\"number\":1}", "null", "true", "+5", "0x10", ".", "-", "e5",
            "١",
            "[\"a\"]", "{\"a\":1}", "170141183460469231731687303715884105728",
        ]
        let columns = try store.sql("SELECT name FROM pragma_table_info('Stored') WHERE name <> 'id'", as: String.self)
        try store.insert(Self.full)
        var stored = 0
        for _ in 0..<600 {
            let number = Double.random(in: -300...300, using: &random)
            let values: [SQLValue] = [
                .null, .integer(.random(in: .min ... .max, using: &random)), .integer(Int64(number)), .real(number),
                .real(.infinity), .text(texts.randomElement(using: &random) ?? ""),
                .text(texts.randomElement(using: &random) ?? ""),
                .blob(Array(repeating: 7, count: Int(abs(number)) % 18)),
            ]
            guard let column = columns.randomElement(using: &random), let value = values.randomElement(using: &random)
            else { continue }
            do {
                try store.write(sql: "UPDATE Stored SET \(raw: column) = \(value) WHERE id = 2")
                stored += 1
            } catch let error as SQLError {
                #expect(error.message.hasPrefix("Stored.\(column) cannot"), "seed \(seed): \(error)")
                continue
            }
            let record = try store.get(Stored.self, key: 2)
            if let record, record.moment.timeIntervalSinceReferenceDate.isNaN {
                // Such a moment is not equal to itself.
                try store.insert(Self.full)
                continue
            }
            let shown = try store.sql("SELECT \(raw: column) FROM Stored WHERE id = 2", as: SQLValue.self)[0]
            try store.write(sql: "UPDATE Stored SET \(raw: column) = \(shown) WHERE id = 2")
            #expect(try store.get(Stored.self, key: 2) == record, "seed \(seed): \(column) = \(value), \(shown)")
        }
        #expect(stored > 50)
    }

    private static var full: Stored {
        Stored(
            id: 2, small: -5, unsigned: 9, wide: .max, huge: .min, hugest: 1 << 100, ratio: 0.1, score: 0.1, flag: true,
            text: "é\u{0}", note: "", bytes: Data([0, 1]), tag: UUID(),
            moment: Date(timeIntervalSinceReferenceDate: 736_300_800.123_456),
            price: Decimal(string: "0.1234567890123456789")!,
            link: URL(string: "b", relativeTo: URL(string: "https://e.org/"))!, mood: .loud,
            shape: .circle(radius: 3), maybeShape: .dot, home: Home(city: "\"", number: -1),
            maybe: Home(city: "", number: 0), numbers: [1, 2], places: ["b": 1, "a": 2], labels: ["x", "y"],
            twice: .some(.some(4)))
    }
}
