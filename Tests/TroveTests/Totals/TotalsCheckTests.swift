// Wrong totals are found and rebuilt, and a record that cannot be read costs its totals a rebuild.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

/// A type that loses a case of an enum: records with it are intact, and cannot be read.
enum CountedChoir {
    enum Wide: String, Codable { case good, bad }
    enum Narrow: String, Codable { case good }

    @IndexKeyRecord(keyPrefix: 6_700_003, "id")
    struct Before: Hashable {
        #Totals<Before>(of: \.count)
        #Totals<Before>(where: { $0.isLoud })

        let id: Int
        var mood: Wide
        var count: Int
        var isLoud: Bool
    }

    @IndexKeyRecord(keyPrefix: 6_700_003, "id")
    struct After: Hashable {
        #Totals<After>(of: \.count)
        #Totals<After>(where: { $0.isLoud })

        let id: Int
        var mood: Narrow
        var count: Int
        var isLoud: Bool
    }
}

@Suite("Checks of totals") struct TotalsCheckTests {
    private let name = "totals(city,year of cents,weight,price)"
    private let file: MigratedFile
    private let store: Store

    init() throws {
        var random = SeededGenerator(seed: 7)
        let sales = (0..<80).map { Till.sale($0, using: &random) }
        file = try MigratedFile()
        store = try file.open(Till.Sale.self, BareSale.self)
        try store.insert(contentsOf: sales)
        try store.insert(contentsOf: sales.map(BareSale.init))
    }

    @Test func aWrongCount_isFound_andRebuilt() throws {
        let index = try store.storedIndex(Till.prefix, name)
        let rows = try store.entries(of: index)
        var content = rows[0].value[4...]
        content[content.startIndex] += 1
        let totals = try #require(index.totals)
        try store.write { context in
            var row: [UInt8] = []
            StoredRow.begin(&row)
            row += content
            try totals.rows.put(rows[0].key, &row, context.keyspace, mode: .replace)
            context.noteChange()
        }
        try store.remove(rows[1], from: index)
        var stray = rows[2]
        stray.key = [1, 0x7A, 0, 0x80]
        try store.put(stray, into: index)
        let differences = try store.check(Till.Sale.self)
        #expect(differences.map(\.kind) == [.wrongTotals, .wrongTotals, .wrongTotals])
        #expect(differences.allSatisfy { $0.index == name })
        #expect(differences.first?.description.contains("the totals of the group (city: \"\"") == true)
        let stored = try storedDifferences(store)
        #expect(stored.count == 3)
        #expect(try Store.verify(path: store.path).findings.count == 1)
        try store.rebuild(Till.Sale.self, index: name)
        #expect(try store.check() == [])
        expectSameAnswers(store, "rebuilt")
        #expect(try store.entries(of: index) == rows)
    }

    /// Totals say that a group has no more records than were taken away: the write is not committed.
    @Test func totalsBelowZero_areAnError() throws {
        let index = try store.storedIndex(Till.prefix, "totals(where { $0.isOpen })")
        let row = try #require(try store.entries(of: index).first)
        try store.remove(row, from: index)
        let open = try #require(try Till.Sale.filter(\.isOpen).first(in: store))
        guard
            case .record(.indexDamaged(_, let damaged, _))? = storeError({
                try store.delete(Till.Sale.self, key: open.id)
            })
        else {
            Issue.record("the totals are below zero")
            return
        }
        #expect(damaged == index.name)
        #expect(try store.get(Till.Sale.self, key: open.id) == open)
    }

    @Test func aDamagedRecord_isDeleted_andTheTotalsAreMadeAgain() throws {
        let type = try store.storedType(Till.prefix)
        var record = try #require(try store.rawRecords(Till.prefix).first)
        record.value[record.value.count - 1] ^= 0xFF
        try store.put(record, into: type.records)
        #expect(try store.check(Till.Sale.self).map(\.kind) == [.damagedRecord])
        try store.write { context in
            #expect(try context.delete(Till.Sale.self, key: 0, ignoringDamage: true))
            try context.delete(BareSale.self, key: 0)
            // Records are read until the totals are made again.
            expectSameAnswers(context, "in the transaction")
            var random = SeededGenerator(seed: 9)
            let sale = Till.sale(1, using: &random)
            try context.insert(sale)
            try context.insert(BareSale(sale))
            expectSameAnswers(context, "after a write")
        }
        #expect(try store.unreadyIndexes(Till.prefix).count == 5)
        expectSameAnswers(store, "without totals")
        try store.insert(Till.Sale(id: 900, city: "Oslo", year: 2020, cents: 1, weight: 1, isOpen: true))
        try store.insert(BareSale(id: 900, city: "Oslo", year: 2020, cents: 1, weight: 1, isOpen: true))
        let opened = try file.open(Till.Sale.self, BareSale.self)
        #expect(try opened.unreadyIndexes(Till.prefix) == [])
        #expect(try opened.check() == [])
        expectSameAnswers(opened, "opened again")
    }

    /// The bytes of an unreadable record give its numbers, and not whether it fulfills a condition.
    @Test func anUnreadableRecord_isReplaced() throws {
        let file = try MigratedFile()
        try file.open(CountedChoir.Before.self).insert(contentsOf: [
            CountedChoir.Before(id: 1, mood: .bad, count: 5, isLoud: true),
            CountedChoir.Before(id: 2, mood: .good, count: 7, isLoud: true),
            CountedChoir.Before(id: 3, mood: .bad, count: 1, isLoud: false),
        ])
        do {
            let store = try file.open(CountedChoir.After.self)
            #expect(try CountedChoir.After.query().sum(of: \.count).resolve(in: store) == 13)
            #expect(try CountedChoir.After.filter(\.isLoud).count(in: store) == 2)
            try store.insert(CountedChoir.After(id: 3, mood: .good, count: 2, isLoud: false))
            #expect(try CountedChoir.After.query().sum(of: \.count).resolve(in: store) == 14)
            #expect(try CountedChoir.After.filter(\.isLoud).count(in: store) == 2)
            #expect(try store.unreadyIndexes(6_700_003) == ["totals(where { $0.isLoud })"])
            try store.delete(CountedChoir.After.self, key: 1)
            #expect(try CountedChoir.After.query().sum(of: \.count).resolve(in: store) == 9)
        }
        let store = try file.open(CountedChoir.After.self)
        #expect(try store.unreadyIndexes(6_700_003) == [])
        #expect(try CountedChoir.After.filter(\.isLoud).count(in: store) == 1)
        #expect(try store.check() == [])
    }
}
