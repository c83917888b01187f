// Totals from program to program: built from stored records with writes in between, changed, dropped, dumped, salvaged.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Migrations of totals", .serialized) struct TotalsMigrationTests {
    private struct Killed: Error {}

    /// Stores the sales without totals, and the same sales for a comparison.
    private func makeFile(
        _ ids: Range<Int>, using random: inout SeededGenerator
    ) throws -> (file: MigratedFile, sales: [Till.Sale]) {
        let sales = ids.map { Till.sale($0, using: &random) }
        let file = try MigratedFile(of: sales.map(Till.Plain.init))
        try file.write(sales.map(BareSale.init))
        return (file, sales)
    }

    private func expectSound(_ store: Store, _ note: Comment) throws {
        #expect(try store.unreadyIndexes(Till.prefix) == [], note)
        #expect(try store.check() == [], note)
        #expect(try storedDifferences(store) == [], note)
        #expect(try Store.verify(path: store.path).findings.isEmpty, note)
        expectSameAnswers(store, "\(note)")
    }

    // MARK: Builds

    @Test func newTotals_areThoseOfTheRecords() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let (file, sales) = try makeFile(0..<500, using: &random)
        #expect(try file.open().info.features.isEmpty)
        let store = try file.open(Till.Sale.self, BareSale.self)
        try expectSound(store, "TROVE_TEST_SEED=\(seed)")
        #expect(try store.info.features == [.totals])
        // The bytes are those of totals that were there before the records.
        let other = try MigratedFile()
        try other.open(Till.Sale.self).insert(contentsOf: sales)
        #expect(try totalRows(other.open()) == totalRows(store), "TROVE_TEST_SEED=\(seed)")
    }

    /// Each record is counted once: by the build, or by a write that is faster.
    @Test func whateverIsWrittenInBetween_theTotalsAreThoseOfTheRecords() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for round in 0..<4 {
            let note: Comment = "round \(round), TROVE_TEST_SEED=\(seed)"
            let (file, _) = try makeFile(0..<150, using: &random)
            let size = BuildSize(
                bytes: [0, 2_000, 8_000, 60_000].randomElement(using: &random) ?? 0,
                readTime: .seconds(10), writeTime: .zero, rests: false, block: Int.random(in: 1...100, using: &random))
            func write(_ store: Store) throws {
                try store.write { context in
                    for _ in 0..<Int.random(in: 1...4, using: &random) {
                        let sale = Till.sale(Int.random(in: 0..<320, using: &random), using: &random)
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0:
                            try context.delete(Till.Sale.self, key: sale.id)
                            try context.delete(BareSale.self, key: sale.id)
                        case 1:
                            // Undone: as if nothing were written.
                            try? context.nested { nested in
                                try nested.insert(sale, onConflict: .replace)
                                throw Killed()
                            }
                        case 2 where sale.id == 0:
                            try Till.Sale.query().delete(in: context)
                            try BareSale.query().delete(in: context)
                        default:
                            try context.insert(sale, onConflict: .replace)
                            try context.insert(BareSale(sale), onConflict: .replace)
                        }
                    }
                }
            }
            var isReady = false
            var left = 200
            while !isReady {
                // A process that goes on where another was killed.
                let store = try file.open()
                func next() throws -> Store {
                    left -= 1
                    if left > 0 {
                        if Int.random(in: 0..<20, using: &random) == 0 { throw Killed() }
                        for _ in 0..<Int.random(in: 0..<3, using: &random) { try write(store) }
                    }
                    return store
                }
                do {
                    _ = try Store.buildIndexes(of: Till.Sale.self, in: next(), size) { _ in }
                    isReady = try store.unreadyIndexes(Till.prefix) == []
                } catch is Killed {
                    // Records are read until the totals are ready.
                    expectSameAnswers(store, "\(note)")
                }
            }
            try expectSound(file.open(Till.Sale.self, BareSale.self), note)
        }
    }

    @Test func behindAnOpenStore_otherThreadsWrite() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let (file, _) = try makeFile(0..<2_000, using: &random)
        let store = try file.open(Till.Sale.self, BareSale.self, migrations: .background)
        let threads = (0..<3).map { number in
            RunningThread { [random] in
                var random = random
                while try !store.unreadyIndexes(Till.prefix).isEmpty {
                    let sale = Till.sale(Int.random(in: 0..<700, using: &random) * 3 + number, using: &random)
                    try store.write { context in
                        if sale.isOpen {
                            try context.insert(sale, onConflict: .replace)
                            try context.insert(BareSale(sale), onConflict: .replace)
                        } else {
                            try context.delete(Till.Sale.self, key: sale.id)
                            try context.delete(BareSale.self, key: sale.id)
                        }
                    }
                }
            }
        }
        for thread in threads { try thread.value() }
        // On a slow machine, the threads end before the build begins.
        try store.finishMigrations()
        try expectSound(store, "TROVE_TEST_SEED=\(seed)")
    }

    // MARK: Definitions

    @Test func changedTotals_areMadeAgain_andDroppedTotalsLeaveNothing() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let (file, sales) = try makeFile(0..<200, using: &random)
        try file.migrate(Till.Sale.self)
        do {
            let store = try file.open(Till.Changed.self, migrations: .onOpen.droppingUndeclaredIndexes)
            #expect(try store.unreadyIndexes(Till.prefix) == [])
            #expect(
                try store.indexes(Till.prefix).map(\.name) == ["totals(tag of count)", "totals(year,city of cents)"])
            #expect(try store.check() == [])
            #expect(try Store.verify(path: store.path).findings.isEmpty)
            let year = Till.Changed.filter(\.year == 2022)
            #expect(try year.count.explain(in: store).contains("totals(year,city of cents)"))
            #expect(try year.count(in: store) == sales.count { $0.year == 2022 })
        }
        do {
            // A program with other totals reads only.
            let older = try file.open()
            guard case .schema(.schemaNewer)? = storeError({ try older.insert(Till.Plain(sales[0])) }) else {
                Issue.record("the older program writes, TROVE_TEST_SEED=\(seed)")
                return
            }
        }
        try file.migrate(Till.Plain.self, migrations: .onOpen.droppingUndeclaredIndexes)
        #expect(try file.open().indexes(Till.prefix).isEmpty)
        #expect(try totalRows(file.open()).isEmpty)
        #expect(try Store.verify(path: file.path).findings.isEmpty)
        try expectSound(file.open(Till.Sale.self, BareSale.self), "TROVE_TEST_SEED=\(seed)")
    }

    /// The position of a build is a key: it means nothing in a table with other keys.
    @Test func anotherKey_countsTheRecordsAgain() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let (file, _) = try makeFile(0..<200, using: &random)
        try file.migrate(Till.Counted.self)
        let store = try file.open(Till.Moved.self)
        let oslo = Till.Moved.filter(\.city == "Oslo")
        let expected = try BareSale.filter(\.city == "Oslo").sum(of: \.weight).resolve(in: store)
        #expect(try oslo.sum(of: \.weight).explain(in: store).contains("totals(city of weight)"))
        let sum = try oslo.sum(of: \.weight).resolve(in: store)
        #expect(sum.bitPattern == expected.bitPattern, "TROVE_TEST_SEED=\(seed)")
        #expect(try store.unreadyIndexes(Till.prefix) == [])
        #expect(try store.check() == [], "TROVE_TEST_SEED=\(seed)")
    }

    @Test func aStoreWithoutTotals_isOpenToEarlierPrograms_untilItsFirstTotals() throws {
        let file = try MigratedFile()
        var old = StoreOptions(durability: .noSync)
        old.supportedFeatures.remove(.totals)
        try file.write([BareSale(id: 1, city: "", year: 1, cents: 1, weight: 1, isOpen: true)])
        #expect(try Store(path: file.path, options: old).read { try $0.storedTypes().count } == 1)
        // The totals of a type without records are there at once.
        var random = SeededGenerator(seed: 1)
        try file.open(Till.Sale.self).insert(Till.sale(1, using: &random))
        #expect(try file.open().info.features == [.totals])
        guard
            case .file(.formatTooNew(_, _, _, let features))? = storeError({ try Store(path: file.path, options: old) })
        else {
            Issue.record("a program without totals opens the store")
            return
        }
        #expect(features == [.totals])
    }

    // MARK: Other ways of records

    @Test(arguments: [false, true]) func loadedRecords_areCounted(isDeclared: Bool) throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let (source, _) = try makeFile(0..<120, using: &random)
        try source.migrate(Till.Sale.self)
        let lines = try source.open().dump()
        let file = try MigratedFile()
        do {
            let store = try file.open(Till.Sale.self)
            for id in 100..<140 { try store.insert(Till.sale(id, using: &random)) }
        }
        let store = try isDeclared ? file.open(Till.Sale.self) : file.open()
        try store.load(lines: lines, onConflict: .replace)
        do {
            let opened = try file.open(Till.Sale.self, BareSale.self)
            try opened.write { context in
                try BareSale.query().delete(in: context)
                for sale in try Till.Sale.query().resolve(in: context) { try context.insert(BareSale(sale)) }
            }
            try expectSound(opened, "TROVE_TEST_SEED=\(seed)")
        }
    }

    @Test func salvagedRecords_areCountedWhenTheirProgramOpensTheStore() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let (file, _) = try makeFile(0..<150, using: &random)
        try file.migrate(Till.Sale.self, BareSale.self)
        let directory = try TemporaryDirectory()
        let path = directory.path("salvaged.trove")
        let report = try Store.salvage(from: file.path, to: path)
        #expect(report.isComplete)
        #expect(try Store.verify(path: path).findings.isEmpty)
        let store = try Store(
            path: path, records: [Till.Sale.self, BareSale.self], options: StoreOptions(durability: .noSync))
        try expectSound(store, "TROVE_TEST_SEED=\(seed)")
    }
}
