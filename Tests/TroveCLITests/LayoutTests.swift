// The output of the command for a store with records of several layouts.

#if CommandLine
import Foundation
import Testing
import Trove
import TroveTestSupport

/// Three programs, each with its own version of a type.
enum FirstPeople {
    @IndexKeyRecord(keyPrefix: 7_000_001, fieldsVersion: 1, "id")
    struct Person {
        let id: Int
        var name: String
        var score: Int
    }
}

enum SecondPeople {
    @IndexKeyRecord(keyPrefix: 7_000_001, fieldsVersion: 2, "id")
    struct Person {
        let id: Int
        var name: String
        var nickname: String?
        var score: Double
    }
}

enum ThirdPeople {
    @IndexKeyRecord(keyPrefix: 7_000_001, fieldsVersion: 10, "id")
    struct Person {
        let id: Int
        var name: String
        var isActive: Bool = false
    }
}

@IndexKeyRecord("number")
private struct Odd {
    let number: Int
    var text: String
    var list: [Int?]
    var when: Date?
}

@Suite struct LayoutTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("people.trove")
        do {
            try open().insert(contentsOf: (8...9).map { FirstPeople.Person(id: $0, name: "old \($0)", score: $0) })
        }
        try open().insert(
            contentsOf: (10...12).map { SecondPeople.Person(id: $0, name: "new", nickname: nil, score: 0.5) })
    }

    private func open() throws -> Store { try Store(path: path, options: StoreOptions(durability: .noSync)) }

    @Test func aTable_hasTheColumnsOfAllLayouts() throws {
        let (code, lines) = try trove("dump", path, "SecondPeople.Person", "--table")
        #expect(code == 0)
        #expect(
            lines == [
                "id  name   score  nickname",
                "──  ─────  ─────  ────────",
                " 8  old 8      8",
                " 9  old 9      9",
                "10  new      0.5      null",
                "11  new      0.5      null",
                "12  new      0.5      null",
            ])
    }

    @Test func aTable_ofARange_hasTheColumnsOfItsRecords() throws {
        let lines = try trove("dump", path, "SecondPeople.Person", "--table", "--to", "9").lines
        #expect(lines == ["id  name   score", "──  ─────  ─────", " 8  old 8      8"])
        #expect(try trove("dump", path, "SecondPeople.Person", "--table", "--reverse", "--limit", "1").lines.count == 3)
        #expect(try trove("dump", path, "SecondPeople.Person", "--table", "--from", "100").lines.isEmpty)
        #expect(try trove("dump", path, "SecondPeople.Person", "--table", "--limit", "0").lines.isEmpty)
    }

    @Test func aTable_showsValuesOnOneLineEach_andCutsThem() throws {
        try open().insert(
            Odd(
                number: 1, text: "a\nb\u{1B}[31m" + String(repeating: "x", count: 60), list: [1, nil],
                when: Date(timeIntervalSinceReferenceDate: 0)))
        let lines = try trove("dump", path, "Odd", "--table").lines
        #expect(lines.count == 3)
        #expect(lines[2].hasPrefix("     1  a\\u{a}b\\u{1b}[31mxxx"))
        #expect(lines[2].hasSuffix("x…  [1,null]  2001-01-01T00:00:00Z"))
        #expect(lines[1].contains("  " + String(repeating: "─", count: 40) + "  "))
    }

    @Test func jsonLines_areTheDefault() throws {
        let lines = try trove("dump", path, "SecondPeople.Person").lines
        #expect(lines == (try trove("dump", path, "SecondPeople.Person", "--json").lines))
        #expect(lines[0] == #"{"id":8,"name":"old 8","score":8}"#)
        #expect(lines[2] == #"{"id":10,"name":"new","nickname":null,"score":0.5}"#)
    }

    @Test func info_printsVersions_inTheirOrder() throws {
        do { try open().insert(ThirdPeople.Person(id: 100, name: "third", isActive: true)) }
        let lines = try trove("info", path).lines
        #expect(
            lines[2...4] == [
                "  version 1: (id:Int64){name:String,score:Int64}",
                "  version 2: (id:Int64){name:String,nickname:String?,score:Double}",
                "  version 10: (id:Int64){name:String,isActive:Bool}",
            ])
        let type = try #require(
            (try jsonObject(trove("info", path, "--json").lines)["types"] as? [[String: Any]])?.first)
        #expect((type["versions"] as? [[String: Any]])?.map { $0["version"] as? Int } == [1, 2, 10])
    }

    // MARK: migrations

    @Test func olderRecords_areCounted_andEnd3() throws {
        let (code, lines) = try trove("migrations", path)
        #expect(code == 3)
        #expect(
            lines.dropLast() == [
                "TroveCLITests.SecondPeople.Person: 5 records, 2 of older layouts",
                "  version 1: 2 records: (id:Int64){name:String,score:Int64}",
                "    nickname is new: nil in old records",
                "    score was Int64, is Double, where each value can be converted",
                "  version 2, the newest: 3 records: (id:Int64){name:String,nickname:String?,score:Double}",
            ])
        #expect(lines.last?.hasSuffix("people.trove: 2 records have older layouts") == true)
        #expect(try trove("migrations", path, "--quiet").code == 3)
    }

    @Test func olderRecords_asJSON() throws {
        let output = try jsonObject(trove("migrations", path, "--json").lines)
        #expect(output["verdict"] as? String == "pending")
        let type = try #require((output["types"] as? [[String: Any]])?.first)
        #expect(type["older"] as? Int == 2)
        let versions = try #require(type["versions"] as? [[String: Any]])
        #expect(versions.map { $0["version"] as? Int } == [1, 2])
        #expect(versions.map { $0["records"] as? Int } == [2, 3])
        #expect(versions.map { $0["isNewest"] as? Bool } == [false, true])
        #expect((versions[0]["changes"] as? [String])?.count == 2)
        #expect(type["migration"] == nil)
    }

    @Test func afterAllRecordsAreRewritten_thereIsNothingToMigrate() throws {
        do {
            let store = try open()
            for person in try SecondPeople.Person.query().resolve(in: store) { try store.insert(person) }
        }
        let (code, lines) = try trove("migrations", path)
        #expect(code == 0)
        #expect(lines.first == "TroveCLITests.SecondPeople.Person: 5 records, 0 of older layouts")
        #expect(lines[1] == "  version 1: 0 records: (id:Int64){name:String,score:Int64}")
        #expect(lines.last?.hasSuffix("people.trove: every record has the newest layout") == true)
    }

    /// An initial value belongs to the program, and is not in the store.
    @Test func whatTheStoreDoesNotKnow_isReported() throws {
        do { try open().insert(SecondPeople.Person(id: 11, name: "new", nickname: "Newt", score: 0.5)) }
        do { try open().insert(ThirdPeople.Person(id: 100, name: "third", isActive: true)) }
        let (code, lines) = try trove("migrations", path)
        #expect(code == 3)
        #expect(lines.contains("    isActive is new: the program decides its value in old records"))
        #expect(lines.contains("    score is removed: 3 records have a value"))
        #expect(lines.contains("    score is removed: 2 records have a value"))
        #expect(lines.contains("    nickname is removed: 1 record has a value"))
        #expect(lines[0] == "TroveCLITests.ThirdPeople.Person: 6 records, 5 of older layouts")
        let types = try #require(jsonObject(trove("migrations", path, "--json").lines)["types"] as? [[String: Any]])
        let versions = try #require(types.first?["versions"] as? [[String: Any]])
        let losses = versions.map { $0["losses"] as? [[String: Any]] ?? [] }
        #expect(losses.map { $0.map { $0["field"] as? String } } == [["score"], ["nickname", "score"], []])
        #expect(losses.map { $0.map { $0["records"] as? Int } } == [[2], [1, 3], []])
    }

    // MARK: Schema locks

    @Test func aSchemaLock_isCompared() throws {
        do {
            let store = try open()
            for person in try SecondPeople.Person.query().resolve(in: store) { try store.insert(person) }
        }
        let lock = directory.path("schema.json")
        try SchemaLock.write([SecondPeople.Person.self], at: lock)
        let same = try trove("migrations", path, "--lock", lock)
        #expect(same.code == 0 && same.lines.contains("\(lock): the store has the layouts of the lock"), "\(same)")
        try SchemaLock.write([ThirdPeople.Person.self], at: lock)
        let (code, lines) = try trove("migrations", path, "--lock", lock)
        #expect(code == 3)
        let start = try #require(lines.firstIndex(of: "\(lock): 1 type of the store and the lock differ"))
        #expect(lines[start + 1] == "  TroveCLITests.ThirdPeople.Person")
        #expect(lines.contains("    was named TroveCLITests.SecondPeople.Person"))
        #expect(lines.contains("    isActive is new: Bool") && lines.contains("    its fieldsVersion was 2, is 10"))
        #expect(lines.last?.hasSuffix("people.trove: every record has the newest layout") == true)
        let output = try jsonObject(trove("migrations", path, "--lock", lock, "--json").lines)
        let differences = try #require(output["differences"] as? [[String: Any]])
        #expect(differences.map { $0["type"] as? String } == ["TroveCLITests.ThirdPeople.Person"])
        #expect(try jsonObject(trove("migrations", path, "--json").lines)["differences"] == nil)
        #expect(try trove("migrations", path, "--lock", directory.path("none.json")).code == 2)
    }

    /// The stored sample has an interrupted migration.
    @Test func aMigrationUnderWay_isReported() throws {
        let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "TroveTests/Samples")
        let copy = directory.path("sample.trove")
        try FileManager.default.copyItem(atPath: samples.appending(path: "format-1.trove").path, toPath: copy)
        let (code, lines) = try trove("migrations", copy)
        #expect(code == 3)
        #expect(lines.contains("  being rewritten as version 2: 4,096 of 4,200 records done"))
        let output = try jsonObject(trove("migrations", copy, "--json").lines)
        let types = try #require(output["types"] as? [[String: Any]])
        let migrations = types.compactMap { $0["migration"] as? [String: Any] }
        #expect(migrations.map { $0["done"] as? Int } == [4096])
        #expect(migrations.map { $0["total"] as? Int } == [4200])
        #expect(migrations.map { $0["changesKeys"] as? Bool } == [false])
    }
}
#endif
