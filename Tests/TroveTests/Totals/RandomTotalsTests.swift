// Random work on records with totals: every answer is that of the same records without totals.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

private struct Undone: Error {}

@Suite("Random changes of totals") struct RandomTotalsTests {
    /// Changes records with and without totals in the same way.
    private func change(
        _ context: TransactionContext, _ random: inout SeededGenerator, _ note: String, depth: Int = 0
    ) throws {
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let id = Int.random(in: 0..<60, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<4:
                let sale = Till.sale(id, using: &random)
                try context.insert(sale, onConflict: .replace)
                try context.insert(BareSale(sale), onConflict: .replace)
            case 4:
                let sales = (id..<id + 20).map { Till.sale($0, using: &random) }
                try context.insert(contentsOf: sales, onConflict: .replace)
                try context.insert(contentsOf: sales.map(BareSale.init), onConflict: .replace)
            case 5:
                try context.delete(Till.Sale.self, key: id)
                try context.delete(BareSale.self, key: id)
            case 6:
                try Till.Sale.filter(\.year == 2020 + id % 5).update(in: context) { $0.isOpen.toggle() }
                try BareSale.filter(\.year == 2020 + id % 5).update(in: context) { $0.isOpen.toggle() }
            case 7:
                try Till.Sale.filter(\.id < id / 3).delete(in: context)
                try BareSale.filter(\.id < id / 3).delete(in: context)
            case 8 where id == 0:
                try Till.Sale.query().delete(in: context)
                try BareSale.query().delete(in: context)
            case 8, 9:
                expectSameAnswers(context, "in a transaction, \(note)")
            default:
                guard depth < 3 else { continue }
                let isUndone = Bool.random(using: &random)
                do {
                    try context.nested { nested in
                        try change(nested, &random, note, depth: depth + 1)
                        if isUndone { throw Undone() }
                    }
                } catch is Undone {}
            }
        }
    }

    @Test func everyAnswer_isThatOfAScan() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let file = try MigratedFile()
        var store = try file.open(Till.Sale.self, BareSale.self)
        for round in 0..<Torture.amount(24, full: 60) {
            let note = "round \(round) of TROVE_TEST_SEED=\(seed)"
            do {
                try store.write { context in
                    try change(context, &random, note)
                    if Int.random(in: 0..<6, using: &random) == 0 { throw Undone() }
                }
            } catch is Undone {}
            if round % 4 == 0 { expectSameAnswers(store, note) }
            if round % 10 == 3 { #expect(try store.check() == [], "\(note)") }
            if round % 20 == 11 { store = try file.open(Till.Sale.self, BareSale.self) }
        }
        #expect(try store.check() == [], "TROVE_TEST_SEED=\(seed)")
        let before = try totalRows(store)
        try store.rebuild(Till.Sale.self)
        #expect(try totalRows(store) == before, "the rows of a rebuild, TROVE_TEST_SEED=\(seed)")
        expectSameAnswers(store, "rebuilt, TROVE_TEST_SEED=\(seed)")
        // What comes and goes leaves no row.
        try Till.Sale.filter(\.id >= 0).delete(in: store)
        #expect(try totalRows(store).isEmpty, "TROVE_TEST_SEED=\(seed)")
        #expect(try Store.verify(path: store.path).findings.isEmpty)
    }
}

/// Returns all rows of the totals of sales.
func totalRows(_ store: Store) throws -> [RawEntry] {
    try store.read { $0.catalogSnapshot.indexParts(Till.prefix) }
        .sorted { $0.key.text < $1.key.text }.flatMap { try store.entries(in: $0.value) }
}

/// Returns the differences of the totals of sales that a program without their type finds.
func storedDifferences(_ store: Store) throws -> [IndexDifference] {
    let type = try store.storedType(Till.prefix)
    return try store.read { try $0.checkStoredIndexes(of: type) }.differences
}
