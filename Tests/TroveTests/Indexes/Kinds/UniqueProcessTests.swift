// Two processes save records with the same unique values at the same time. Each value is saved by a single process, and
// refused for the other.

import Foundation
import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@Suite("Unique values across processes", .serialized) struct UniqueProcessTests {
    private let count = 1500

    /// Starts two processes to claim the same names. Returns the numbers reported by each process.
    private func claim(_ path: String) throws -> [(claimed: Int, refused: Int)] {
        let children = try ["first", "second"].map { name in
            let child = try ChildProcess(["claim", path, name, "\(count)"], executable: "TroveStoreWorker")
            #expect(child.readLine() == "ready")
            return child
        }
        for child in children { try child.writeLine("go") }
        return try children.map { child in
            let numbers = try #require(child.readLine()).split(separator: " ").compactMap { Int($0) }
            #expect(child.readLine() == "done")
            #expect(child.wait() == 0)
            return (numbers[0], numbers[1])
        }
    }

    private func expectOneHolderEach(_ store: Store, _ results: [(claimed: Int, refused: Int)], excluding: Int = 0)
        throws
    {
        #expect(results.allSatisfy { $0.claimed + $0.refused == count })
        #expect(results.reduce(0) { $0 + $1.claimed } == count - excluding)
        let items = try Query<UniqueItem>().resolve(in: store)
        #expect(items.count == count && Set(items.map(\.name)).count == count)
        #expect(try store.check(UniqueItem.self) == [])
    }

    @Test func eachValue_hasOneHolder() throws {
        let file = try MigratedFile()
        let results = try claim(file.path)
        try expectOneHolderEach(try file.open(UniqueItem.self), results)
    }

    /// The processes save records while this process builds the index over existing records.
    @Test func eachValue_hasOneHolder_whileTheIndexIsBuilt() throws {
        let file = try MigratedFile()
        let held = (0..<500).map { UniqueItem(number: 10_000 + $0, writer: "held", name: "name \($0 * 3)") }
        let store = try file.open()
        try store.insert(contentsOf: held)
        let type = try store.storedType(UniqueItem.keyPrefix)
        #expect(try store.markForRebuild(of: type).count == 2)
        let gate = MigrationGate()
        let opened = try file.open(UniqueItem.self, migrations: .background, progress: gate.pass)
        gate.waitUntilReached()
        Thread.detachNewThread { gate.open() }
        let results = try claim(file.path)
        while try !opened.unreadyIndexes(UniqueItem.keyPrefix).isEmpty { sched_yield() }
        try expectOneHolderEach(opened, results, excluding: held.count)
    }
}
