// The output of `trove history`.

#if CommandLine
import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord(keyPrefix: 6_910_001, "id")
private struct Parcel: Equatable {
    let id: Int
    var town: String
}

@IndexKeyRecord(keyPrefix: 6_910_001, "number")
private struct RenamedParcel {
    @Renamed("id") let number: Int
    var town: String
}

extension Store {
    /// The text of the token of the last commit.
    fileprivate var lastToken: String {
        get throws { try read { try $0.historyToken }.rawValue }
    }
}

@Suite struct HistoryCommandTests {
    private let directory: TemporaryDirectory
    private let store: Store
    private let token: HistoryToken

    init() throws {
        directory = try TemporaryDirectory()
        store = try Store(
            path: directory.path("parcels.trove"), records: [Parcel.self],
            options: StoreOptions(durability: .noSync, history: .keep().keepingDeleted(Parcel.self, \.town)))
        token = try store.read { try $0.historyToken }
        try store.insert(Parcel(id: 1, town: "Ulm"))
        try store.write(author: "sync") { context in
            try context.insert(Parcel(id: 1, town: "Bonn"), onConflict: .replace)
            try context.insert(Parcel(id: 2, town: "Kiel"))
        }
        try store.delete(Parcel.self, key: 1)
    }

    private func lines(_ arguments: String...) throws -> [String] {
        let result = try trove(["history", store.path] + arguments)
        #expect(result.code == 0)
        return result.lines
    }

    @Test func eachCommit_isPrinted_withItsChanges() throws {
        let lines = try lines("--after", token.rawValue)
        let changes = lines.filter { $0.hasPrefix("  ") }
        #expect(
            changes == [
                "  inserted TroveCLITests.Parcel id: 1", "  updated TroveCLITests.Parcel id: 1",
                "  inserted TroveCLITests.Parcel id: 2", "  deleted TroveCLITests.Parcel id: 1 {\"town\":\"Bonn\"}",
            ])
        let heads = lines.filter { !$0.hasPrefix("  ") }.map { $0.split(separator: " ") }
        #expect(heads.map { $0[2] } == ["-", "sync", "-"])
        #expect(try heads.last?.last.map(String.init) == store.read { try $0.historyToken }.rawValue)
    }

    @Test func json_hasAnObjectForEachCommit() throws {
        let lines = try lines("--json", "--after", token.rawValue, "--limit", "2")
        #expect(lines.count == 2)
        let commit = try #require(
            try JSONSerialization.jsonObject(with: Data(lines[1].utf8)) as? [String: Any])
        #expect(commit["author"] as? String == "sync")
        #expect((commit["changes"] as? [[String: Any]])?.map { $0["change"] as? String } == ["updated", "inserted"])
    }

    @Test func json_hasKeysAndTombstones_asValues() throws {
        let last = try #require(try lines("--json").last)
        let commit = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
        let change = try #require((commit["changes"] as? [[String: Any]])?.first)
        #expect(change["change"] as? String == "deleted" && change["type"] as? String == "TroveCLITests.Parcel")
        #expect(change["key"] as? [String: Int] == ["id": 1])
        #expect(change["tombstone"] as? [String: String] == ["town": "Bonn"])
        #expect(commit["author"] == nil)
        #expect(try commit["token"] as? String == store.lastToken)
        let date = try #require(try store.read { try $0.history() }.last?.date)
        #expect(commit["date"] as? String == ISO8601Text.text(date.timeIntervalSinceReferenceDate))
    }

    /// The first commit is that of the option: it has no change of a parcel, and is not printed.
    @Test func theLimit_countsPrintedCommits() throws {
        let lines = try lines("Parcel", "--limit", "1")
        #expect(lines.count == 2)
        #expect(lines.last == "  inserted TroveCLITests.Parcel id: 1")
    }

    @Test func theToken_isPrintedAlone() throws {
        #expect(try lines("--token") == [store.lastToken])
        #expect(try lines("--token", "--json") == ["{\"token\":\"\(try store.lastToken)\"}"])
    }

    /// Keys from before a renaming are read by their present names.
    @Test func renamedKeys_arePrinted() throws {
        let path = store.path
        try store.close()
        try Store(path: path, records: [RenamedParcel.self]).close()
        let result = try trove(["history", path, "--limit", "2"])
        #expect(result.lines.last?.hasSuffix("number: 1") == true)
    }

    @Test func aStoreWithoutAHistory_isAnError() throws {
        let path = directory.path("plain.trove")
        try Store(path: path, records: [Parcel.self]).insert(Parcel(id: 1, town: "Ulm"))
        let result = try shell("trove history '\(path)'")
        #expect(result.code == 2)
        #expect(result.errors.contains("keeps no history"))
        #expect(try trove(["history", path, "--after", "1.2.3"]).code == 64)
    }
}
#endif
