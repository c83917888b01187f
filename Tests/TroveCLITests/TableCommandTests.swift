// The output of the command for indexes and unique constraints, and its changes to them.

#if CommandLine
import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("number")
private struct Letter: Hashable {
    #Index<Letter>(\.pages)
    #Index<Letter>(\.pages, where: { $0.pages > 50 })
    #Unique<Letter>(\.subject, collisions: .throw)

    let number: Int
    var pages: Int
    var subject: String
}

@Suite struct TableCommandTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("letters.trove")
        try open { store in
            try store.insert(
                contentsOf: (0..<1000).map { Letter(number: $0, pages: $0 % 100, subject: "subject \($0)") })
        }
    }

    private func open(_ body: (Store) throws -> Void) throws {
        try body(try Store(path: path, records: [Letter.self], options: StoreOptions(durability: .noSync)))
    }

    /// Changes an index of letters as another LMDB program would.
    private func change(_ table: String, _ body: (borrowing WriteTransaction, Database) throws -> Void) throws {
        let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
        let name = try #require(try environment.databaseNames().first { $0.hasSuffix(table) })
        let database = try environment.openDatabase(name)
        try environment.write { transaction in try body(transaction, database) }
    }

    @Test func aSoundStore_agrees_andWhatIsNotCheckedIsSaid() throws {
        let (code, lines) = try trove("check", path)
        #expect(code == 0)
        #expect(
            lines.dropLast() == [
                "TroveCLITests.Letter, index(pages): 1,000 entries, no differences",
                "TroveCLITests.Letter, index(pages where { $0.pages > 50 }): 490 entries, no differences; missing entries "
                    + "were not checked: only the program knows the condition",
                "TroveCLITests.Letter, unique(subject): 1,000 entries, no differences",
            ])
        #expect(lines.last?.hasSuffix("letters.trove: no differences were found") == true)
    }

    @Test func differences_end1_andAreNamed() throws {
        try change(".1.0") { transaction, table in
            var first: [UInt8] = []
            try transaction.scan(table) { key, _ in
                first = unsafe key.withUnsafeBytes { unsafe Array($0) }
                return .stop
            }
            let wasThere = try transaction.delete(first, from: table)
            #expect(wasThere)
            try transaction.put([], for: [0xAB], in: table)
        }
        let (code, lines) = try trove("check", path)
        #expect(code == 1)
        #expect(
            lines.prefix(3) == [
                "TroveCLITests.Letter, index(pages): the record with the key number: 0 has no entry",
                "TroveCLITests.Letter, index(pages): the entry ab belongs to no record",
                "TroveCLITests.Letter, index(pages): 1,000 entries, 2 differences",
            ])
        #expect(lines.last?.contains("2 differences") == true)
        let report = try jsonObject(trove("check", path, "--json").lines)
        #expect(report["verdict"] as? String == "different")
        let index = try #require((report["indexes"] as? [[String: Any]])?.first)
        #expect(index["extent"] as? String == "whole")
        #expect(
            (index["differences"] as? [[String: Any]])?.map { $0["kind"] as? String } == ["missing", "orphaned"])
        #expect(try trove("check", path, "--quiet").code == 1)
    }

    @Test func aDamagedRecord_ends1_andTheOthersAreChecked() throws {
        try change(".0.0") { transaction, table in
            try transaction.put([1, 2, 3], for: KeyWriter.bytes(of: 7), in: table)
        }
        try change(".1.0") { transaction, table in try transaction.put([], for: [0xAB], in: table) }
        let (code, lines) = try trove("check", path)
        #expect(code == 1)
        #expect(
            lines.prefix(3) == [
                "TroveCLITests.Letter: the record with the key number: 7 is damaged",
                "TroveCLITests.Letter, index(pages): the entry ab belongs to no record",
                "TroveCLITests.Letter, index(pages): 1,001 entries, 1 difference",
            ])
        #expect(
            lines.last?.hasSuffix(
                "letters.trove: 1 difference: run trove rebuild or store.rebuild(); 1 damaged record: "
                    + "run store.delete(_:key:ignoringDamage:) or trove salvage") == true)
        let report = try jsonObject(trove("check", path, "--json").lines)
        #expect(report["verdict"] as? String == "different")
        #expect(report["differences"] as? Int == 2)
        #expect((report["damagedRecords"] as? [[String: Any]])?.map { $0["kind"] as? String } == ["damagedRecord"])

        try open { store in
            let wasThere = try store.delete(Letter.self, key: 7, ignoringDamage: true)
            #expect(wasThere)
            try store.rebuild(Letter.self, index: "index(pages)")
        }
        #expect(try trove("check", path).code == 0)
    }

    @Test func anEmptiedIndex_isBuiltAtTheNextOpening() throws {
        let (code, lines) = try trove("rebuild", path, "Letter", "index(pages)")
        #expect(code == 0)
        #expect(lines.first == "TroveCLITests.Letter, index(pages): emptied")
        #expect(
            try trove("info", path).lines.contains {
                $0.hasSuffix("index(pages): 0 entries, 0 bytes, not ready: built from 0 records")
            })
        #expect(try trove("check", path).lines.first?.hasSuffix("not checked: the index is not ready") == true)
        try open { store in
            let differences = try store.check()
            #expect(differences == [])
        }
        #expect(
            try trove("check", path).lines.first
                == "TroveCLITests.Letter, index(pages): 1,000 entries, no differences")
        #expect(try trove("rebuild", path, "TroveCLITests.Letter").lines.count == 4)
        let report = try jsonObject(trove("rebuild", path, "Letter", "unique(subject)", "--json").lines)
        #expect(report["indexes"] as? [String] == ["unique(subject)"])
    }

    @Test func whatIsNotThere_ends2() throws {
        #expect(try trove("rebuild", path, "Letter", "index(size)").code == 2)
        #expect(try trove("rebuild", path, "Other").code == 2)
        #expect(try trove("rebuild", path).code == 64)
        #expect(try trove("check").code == 64)
    }

    @Test func verify_info_andSalvage_reportIndexes() throws {
        #expect(
            try trove("verify", path).lines.contains {
                $0.hasPrefix("TroveCLITests.Letter, index(pages): 1,000 entries, 16,000 bytes")
            })
        #expect(
            try trove("info", path).lines.contains {
                $0.hasPrefix("TroveCLITests.Letter, unique(subject): 1,000 entries, ")
            })
        let info = try jsonObject(trove("info", path, "--json").lines)
        let indexes = try #require((info["types"] as? [[String: Any]])?.first?["indexes"] as? [[String: Any]])
        #expect(indexes.map { $0["entries"] as? Int } == [1000, 490, 1000])
        #expect(indexes.allSatisfy { $0["isReady"] as? Bool == true })

        let saved = directory.path("saved.trove")
        let (code, lines) = try trove("salvage", path, saved)
        #expect(code == 0)
        #expect(lines.contains("TroveCLITests.Letter, unique(subject): rebuilt when its program opens the store"))
        #expect(lines.last?.contains("everything was copied; 1,000 records") == true)
        let store = try Store(path: saved, records: [Letter.self])
        #expect(try store.check() == [])
        #expect(try trove("check", saved).lines.count == 4)
    }

    @Test func aDamagedEntry_isFound_byVerify_andByCopies() throws {
        try change(".1.0") { transaction, table in try transaction.put([1, 2, 3], for: [0xAB], in: table) }
        let (code, lines) = try trove("verify", path)
        #expect(code == 1)
        #expect(lines.first?.hasSuffix("key ab: the index entry is damaged [indexEntry]") == true)
        #expect(lines.contains { $0.hasSuffix("1,001 entries, 16,004 bytes, 1 damaged") })
        #expect(try trove("copy", path, directory.path("copy.trove")).code == 1)
        #expect(try trove("salvage", path, directory.path("saved.trove")).code == 0)
    }
}
#endif
