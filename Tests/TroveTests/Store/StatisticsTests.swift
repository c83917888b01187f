// The statistics of a store, and its log of slow queries.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

@Suite("Statistics") struct StatisticsTests {
    @Test func transactions_areCounted() throws {
        let store = try Store.temporary()
        let before = try store.statistics
        for number in 0..<3 { try store.insert(Tick(number: number, note: "")) }
        try store.write { _ in }
        struct Deliberate: Error {}
        #expect(throws: Deliberate.self) { try store.write { _ in throw Deliberate() } }
        for _ in 0..<5 { _ = try Tick.query().count(in: store) }
        let after = try store.statistics
        #expect(after.writes.begun - before.writes.begun == 5)
        #expect(after.writes.commits - before.writes.commits == 3)
        #expect(after.writes.failedCommits == 0)
        #expect(after.lastTransaction - before.lastTransaction == 3)
        #expect(after.reads - before.reads == 5)
        #expect(after.openReads == 0)
        #expect(after.waitingWrites == 0)
        #expect(after.commitsBehind == 0)
        #expect(after.usedSize > 0 && after.usedSize <= after.mapSize)
    }

    @Test func openReads_andTheirAge_areCounted() throws {
        let store = try Store.temporary()
        try store.insert(Tick(number: 0, note: ""))
        try store.read { context in
            _ = try Tick.query().count(in: context)
            let writing = RunningThread { for number in 1...3 { try store.insert(Tick(number: number, note: "")) } }
            try writing.value()
            let statistics = try store.statistics
            #expect(statistics.openReads == 1)
            #expect(statistics.commitsBehind == 3)
        }
        #expect(try store.statistics.openReads == 0)
    }

    @Test func groups_areCounted() async throws {
        try await eventually(gives: 1) {
            let line = try WriterLine()
            let results = await line.write((0..<20).map { number in { try WriterLine.insert(number, in: $0) } })
            #expect(results.allSatisfy { $0.value != nil })
            let writes = try line.store.statistics.writes
            #expect(writes.asyncWrites == 20)
            if writes.groups == 1 { #expect(writes.largestGroup == 20) }
            return writes.groups
        }
    }
}

@IndexKeyRecord("id")
private struct Meter {
    #Index<Meter>(\.hall)

    let id: Int
    var hall: String
}

@Suite("Slow queries") struct SlowQueryTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func lines(_ threshold: Duration?, _ body: (Store) throws -> Void) throws -> [String] {
        let log = CapturedLog.installed
        let path = directory.path(UUID().uuidString)
        let store = try Store(path: path, options: StoreOptions(durability: .noSync, slowQueryThreshold: threshold))
        try store.insert(contentsOf: (0..<10).map { Tick(number: $0, note: "\($0)") })
        try body(store)
        return log.messages(about: store.path)
    }

    private static let queries: [@Sendable (Store) throws -> Void] = [
        { _ = try Tick.query().resolve(in: $0) }, { _ = try Tick.query().first(in: $0) },
        { _ = try Tick.query().keys(in: $0) }, { _ = try Tick.query().count(in: $0) },
        { _ = try Tick.query().select(\.note).resolve(in: $0) },
        { _ = try Tick.query().select(\.note, \.number).resolve(in: $0) },
        { try Tick.query().forEach(in: $0) { _ in } }, { _ = try Tick.query(number: 3).delete(in: $0) },
        { _ = try Tick.select(in: $0, number: .greaterThan(4)) },
        { _ = try Tick.filter(\.note == "3").resolve(in: $0) },
        { _ = try Tick.filter(\.note == "3").count(in: $0) }, { _ = try Tick.filter(\.note == "3").keys(in: $0) },
        { _ = try Tick.filter(\.note == "3").select(\.note).resolve(in: $0) },
        { _ = try Tick.filter(\.note == "3").select(\.note, \.number).resolve(in: $0) },
        { try Tick.filter(\.note == "3").forEach(in: $0) { _ in } },
        { _ = try Tick.filter(\.note == "3").delete(in: $0) },
        { _ = try Tick.filter(\.note == "3").update(in: $0) { $0.note = "4" } },
        { _ = try Tick.query().filter(\.note > "3").sum(of: \.number).resolve(in: $0) },
        { _ = try Tick.query().filter(\.note > "3").max(of: \.number).resolve(in: $0) },
        { _ = try Tick.query().filter(\.note > "3").limit(3).sorted(by: \.note).average(of: \.number).resolve(in: $0) },
    ]

    @Test(arguments: queries.indices) func withAThresholdOfZero_eachQueryIsLoggedOnce(_ query: Int) throws {
        let lines = try lines(.zero, Self.queries[query])
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.contains("A query was slow") && $0.contains("Tick") }, "\(lines)")
        #expect(lines.allSatisfy { $0.contains("scan Tick") && $0.contains("duration") }, "\(lines)")
    }

    /// The plan is the executed plan, and not a plan for the changed table.
    @Test func theLoggedPlan_isTheExecutedPlan() throws {
        let lines = try lines(.zero) { store in
            try store.insert(contentsOf: (0..<1000).map { Meter(id: $0, hall: $0 % 10 == 0 ? "x" : "h") })
            #expect(try Meter.filter(\.hall == "h").update(in: store) { $0.hall = "y" } == 900)
            // Afterwards, the index is better.
            let plan = try Meter.filter(\.hall == "h").explain(in: store)
            #expect(plan.contains("scan index(hall) of Meter"), "\(plan)")
        }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("scan Meter, all records") == true, "\(lines)")
    }

    @Test func groups_areLoggedAsGroups() throws {
        let lines = try lines(.zero) { store in
            try store.insert(contentsOf: (0..<50).map { Meter(id: $0, hall: "h\($0 % 5)") })
            _ = try Meter.grouped(by: \.hall).count(in: store)
            _ = try Meter.filter(\.id > 3).grouped(by: \.hall).count(in: store)
        }
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains(#".grouped(by: \.hall)"#) }, "\(lines)")
        #expect(lines.first?.contains("groups: hall; from the entries alone") == true, "\(lines)")
        #expect(lines.last?.contains("groups: hall; from the matching records, in memory") == true, "\(lines)")
    }

    @Test func aQueryThatThrows_isLoggedToo() throws {
        struct Deliberate: Error {}
        let lines = try lines(.zero) { store in
            #expect(throws: Deliberate.self) { try Tick.query().forEach(in: store) { _ in throw Deliberate() } }
            #expect(throws: Deliberate.self) {
                try Tick.filter(\.note == "3").update(in: store) { _ in throw Deliberate() }
            }
        }
        #expect(lines.count == 2)
    }

    @Test func withoutAThreshold_orBelowIt_nothingIsLogged() throws {
        #expect(try lines(nil) { store in for query in Self.queries { try query(store) } } == [])
        #expect(try lines(.seconds(3600)) { store in for query in Self.queries { try query(store) } } == [])
    }
}
