// The output of `trove watch` while another program writes: this one.

#if CommandLine
import Dispatch
import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Crate: Equatable {
    let id: Int
    var town: String
}

@IndexKeyRecord("id")
private struct Barrel {
    let id: Int
}

@Suite struct WatchCommandTests {
    private let directory: TemporaryDirectory
    private let store: Store

    init() throws {
        directory = try TemporaryDirectory()
        store = try Store(
            path: directory.path("crates.trove"), records: [Crate.self, Barrel.self],
            options: StoreOptions(durability: .noSync, history: .keep()))
        try store.insert(Crate(id: 1, town: "Ulm"))
        try store.insert(Barrel(id: 1))
    }

    /// Runs the command while this process writes, until the command ends.
    ///
    /// - Parameter write: Writes, with the number of the transaction: crates and barrels by default.
    private func watch(
        _ arguments: String..., write: (TransactionContext, Int) throws -> Void = Self.writeCratesAndBarrels
    ) throws -> (code: Int, lines: [String]) {
        let hasEnded = DispatchSemaphore(value: 0)
        let path = store.path
        let watching = RunningThread {
            defer { hasEnded.signal() }
            return try trove(["watch", path] + arguments)
        }
        var number = 0
        repeat {
            number += 1
            try store.write { try write($0, number) }
        } while hasEnded.wait(timeout: .now() + .milliseconds(2)) == .timedOut
        return try watching.value()
    }

    private static func writeCratesAndBarrels(_ context: TransactionContext, _ number: Int) throws {
        try context.insert(Crate(id: number % 3, town: "Ulm \(number)"))
        if number.isMultiple(of: 2) { try context.delete(Crate.self, key: (number + 1) % 3) }
        try context.insert(Barrel(id: number))
    }

    @Test func changes_arePrintedAsTheyHappen_andTheLimitEndsTheWatch() throws {
        let (code, lines) = try watch("Crate", "--limit", "9")
        #expect(code == 0 && lines.count == 9)
        var commits: [Int] = []
        var saved = 0
        for line in lines {
            let parts = try #require(
                line.wholeMatch(of: #/(\d+) (?:saved|removed|any) TroveCLITests\.Crate ?(\{.*\}|id: [012])?/#),
                "\(line)")
            commits.append(try #require(Int(parts.1)))
            guard line.contains(" saved ") else { continue }
            saved += 1
            let record = try jsonObject([String(try #require(parts.2))])
            let number = try #require((record["town"] as? String)?.split(separator: " ").last.flatMap { Int($0) })
            #expect(record["id"] as? Int == number % 3)
        }
        #expect(saved > 0)
        #expect(commits == commits.sorted())
    }

    @Test func asJSON_eachChangeIsAnObject_ofAnyType() throws {
        let (code, lines) = try watch("--limit", "12", "--json")
        #expect(code == 0 && lines.count == 12)
        var kinds: Set<String> = []
        for line in lines {
            let object = try jsonObject([line])
            #expect(object["commit"] is Int)
            let (kind, type) = (object["change"] as? String, object["type"] as? String)
            kinds.insert("\(kind ?? "") \(type ?? "")")
            switch kind {
            case "saved": #expect(object["record"] is [String: Any])
            case "removed": #expect((object["key"] as? String)?.hasPrefix("id: ") == true)
            default: #expect(kind == "any")
            }
        }
        #expect(kinds.isSuperset(of: ["saved TroveCLITests.Crate", "saved TroveCLITests.Barrel"]))
    }

    /// The keys of a range are not listed. The keys that the same commit lists are printed all the same.
    @Test func aRangeRemovedAtOnce_doesNotHideTheListedRecords() throws {
        let (code, lines) = try watch("Crate", "--limit", "40") { context, number in
            try context.insert(Crate(id: 100, town: "Rome"))
            _ = try Crate.query(id: .range(100..<200)).delete(in: context)
            try context.insert(Crate(id: 1, town: "Ulm \(number)"))
            try context.insert(Barrel(id: number))
        }
        #expect(code == 0 && lines.count == 40)
        let ofCommits = Dictionary(grouping: lines) { line in line.prefix { $0 != " " } }
        let isComplete = ofCommits.values.contains { lines in
            let words = lines.map { $0.split(separator: " ", maxSplits: 1).last ?? "" }
            return words.contains("any TroveCLITests.Crate") && words.contains("removed TroveCLITests.Crate id: 100")
                && words.contains { $0.hasPrefix("saved TroveCLITests.Crate {\"id\":1,") }
        }
        #expect(isComplete, "\(lines)")
    }

    /// The past is read from the history, and so is what happens meanwhile: each barrel is printed once.
    @Test func afterAToken_thePastComesFirst_withoutAGap() throws {
        let token = try store.read { try $0.historyToken }.rawValue
        let past = 200
        for id in 2...past { try store.insert(Barrel(id: id)) }
        let (code, lines) = try watch("Barrel", "--after", token, "--limit", "300") { context, number in
            try context.insert(Barrel(id: past + number))
        }
        #expect(code == 0)
        let words = lines.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
        #expect(words == (2...301).map { "saved TroveCLITests.Barrel {\"id\":\($0)}" })
        let commits = lines.compactMap { UInt64($0.prefix { $0 != " " }) }
        #expect(commits.count == 300 && zip(commits, commits.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// A record is printed in its present state, and only its key if it has none.
    @Test func afterAToken_removedRecords_haveTheirKeys() throws {
        let token = try store.read { try $0.historyToken }.rawValue
        try store.insert(Crate(id: 2, town: "Kiel"))
        try store.insert(Crate(id: 3, town: "Bonn"))
        try store.delete(Crate.self, key: 2)
        let text = try trove("watch", store.path, "--after", token, "--limit", "3")
        let words = text.lines.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
        #expect(
            words == [
                "saved TroveCLITests.Crate id: 2", "saved TroveCLITests.Crate {\"id\":3,\"town\":\"Bonn\"}",
                "removed TroveCLITests.Crate id: 2",
            ])
        let json = try trove("watch", store.path, "--after", token, "--limit", "3", "--json")
        let objects = try json.lines.map { try jsonObject([$0]) }
        #expect(objects.map { $0["change"] as? String } == ["saved", "saved", "removed"])
        #expect(objects.map { $0["key"] as? String } == ["id: 2", nil, "id: 2"])
        #expect(objects.map { $0["record"] != nil } == [false, true, false])
    }

    @Test func wrongArguments_areRefused() throws {
        #expect(try trove("watch", store.path, "--after", "1.2.3").code == 64)
        let other = try Store.temporary(records: [], options: StoreOptions(history: .keep()))
        let token = try other.read { try $0.historyToken }.rawValue
        #expect(try trove("watch", store.path, "--after", token).code == 2)
        #expect(try trove("watch", store.path, "Crate", "--limit", "0").code == 64)
        #expect(try trove("watch", store.path, "Keg").code == 2)
        #expect(try trove("watch", directory.path("none.trove")).code == 2)
    }
}
#endif
