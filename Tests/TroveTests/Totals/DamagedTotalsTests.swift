// Damaged rows of totals: no write hides the damage, and no write is lost with them.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Damaged totals") struct DamagedTotalsTests {
    private let name = "totals(city,year of cents,weight,price)"
    private let file: MigratedFile
    private let store: Store

    init() throws {
        file = try MigratedFile()
        store = try file.open(Till.Sale.self, BareSale.self)
        let sales = (0..<20).map { Self.sale($0) }
        try store.insert(contentsOf: sales)
        try store.insert(contentsOf: sales.map(BareSale.init))
    }

    private static func sale(_ id: Int, city: String? = nil) -> Till.Sale {
        Till.Sale(
            id: id, city: city ?? ["Oslo", "Rome"][id % 2], year: 2020, cents: Int64(id), weight: 0.5,
            price: Decimal(id), tag: nil, count: 1, isOpen: id % 3 == 0)
    }

    /// Changes a bit of the number of records of a group, or of all of the index. The checksum stays.
    private func damage(city: String?) throws {
        let index = try store.storedIndex(Till.prefix, name)
        let rows = try store.entries(of: index).filter { row in
            row.key != [0] && (city.map { row.key.dropFirst().starts(with: Array($0.utf8)) } ?? true)
        }
        try #require(!rows.isEmpty)
        for var row in rows {
            row.value[4] ^= 2
            try store.put(row, into: index)
        }
    }

    private func isDamage(_ error: (any Error)?) -> Bool {
        guard case StoreError.record(.indexDamaged(_, name, _))? = error else { return false }
        return true
    }

    private func error(_ body: () throws -> Void) -> (any Error)? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    /// A changed row receives a new checksum.
    @Test func aWrite_doesNotHideDamage() throws {
        try damage(city: "Oslo")
        #expect(isDamage(error { try store.insert(Self.sale(100)) }))
        #expect(try store.get(Till.Sale.self, key: 100) == nil)
        #expect(try Store.verify(path: store.path).findings.count == 1)
        try store.insert(Self.sale(101))
    }

    @Test func aDamagedPosition_ofABuild_isFound() throws {
        let index = try store.storedIndex(Till.prefix, name)
        try store.put(RawEntry(key: [0], value: [1, 2, 3, 4, 5]), into: index)
        #expect(isDamage(error { try store.insert(Self.sale(100)) }))
        #expect(isDamage(error { _ = try Till.Sale.filter(\.city == "Oslo").count(in: store) }))
    }

    @Test func aRecordOfADamagedGroup_isDeleted_andTheTotalsAreMadeAgain() throws {
        try damage(city: "Oslo")
        #expect(isDamage(error { try store.delete(Till.Sale.self, key: 2) }))
        #expect(try store.delete(Till.Sale.self, key: 2, ignoringDamage: true))
        try store.delete(BareSale.self, key: 2)
        #expect(try store.get(Till.Sale.self, key: 2) == nil)
        #expect(try store.unreadyIndexes(Till.prefix) == [name])
        expectSameAnswers(store, "without totals")
        let opened = try file.open(Till.Sale.self, BareSale.self)
        #expect(try opened.unreadyIndexes(Till.prefix) == [])
        #expect(try opened.check() == [])
        expectSameAnswers(opened, "opened again")
    }

    /// Rows of an interrupted build are damaged: the next build begins again, and the other indexes become ready.
    @Test func aBuild_emptiesDamagedTotals() throws {
        try store.write { context in
            var stored = try #require(try context.catalogStorage().type(Till.prefix))
            let numbers = stored.indexes.keys.sorted()
            try context.empty(numbers, of: &stored, Till.prefix)
            try context.set(stored, Till.prefix)
        }
        // A write counts a record of each group.
        try store.insert(
            contentsOf: [Self.sale(0), Self.sale(1)].map { sale in
                var sale = sale
                sale.cents += 1
                return sale
            }, onConflict: .replace)
        try damage(city: nil)
        let opened = try file.open(Till.Sale.self)
        #expect(try opened.unreadyIndexes(Till.prefix) == [])
        #expect(try opened.check(Till.Sale.self) == [])
        #expect(try Till.Sale.filter(\.city == "Oslo").count(in: opened) == 10)
    }

    /// A group of writes with a shared commit: a write with wrong totals fails alone.
    @Test func ofGroupedWrites_onlyTheOneWithDamageFails() async throws {
        try damage(city: "Oslo")
        let store = store
        let failed = await withTaskGroup(of: (id: Int, error: (any Error)?).self) { group in
            for id in 200..<240 {
                group.addTask {
                    do {
                        try await store.insert(Self.sale(id, city: id % 8 == 0 ? "Oslo" : "Rome"))
                        return (id, nil)
                    } catch {
                        return (id, error)
                    }
                }
            }
            return await group.reduce(into: [Int: any Error]()) { $0[$1.id] = $1.error }
        }
        #expect(failed.keys.sorted() == [200, 208, 216, 224, 232])
        #expect(failed.values.allSatisfy(isDamage))
        let count = try await Till.Sale.filter(\.city == "Rome").count(in: store)
        #expect(count == 10 + 35)
    }

    /// An error after the record was written undoes the record, also if the program catches the error.
    @Test func damageFoundByAChange_endsTheTransaction() throws {
        let index = try store.storedIndex(Till.prefix, name)
        try store.put(RawEntry(key: [0], value: [1, 2, 3, 4, 5]), into: index)
        let failure = error {
            try store.write { context in
                #expect(isDamage(error { try context.insert(Self.sale(100)) }))
            }
        }
        #expect(failure != nil)
        #expect(try store.get(Till.Sale.self, key: 100) == nil)
    }

    /// Rows of any bytes, with right checksums: a query answers or throws, and never ends the process.
    @Test func hostileRows_areErrors() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let index = try store.storedIndex(Till.prefix, name)
        let totals = try #require(index.totals)
        let rows = try store.entries(of: index)
        func put(_ content: [UInt8], _ key: [UInt8]) throws {
            try store.write { context in
                var row: [UInt8] = []
                StoredRow.begin(&row)
                row += content
                try totals.rows.put(key, &row, context.keyspace, mode: .replace)
                context.noteChange()
            }
        }
        for _ in 0..<400 {
            let row = try #require(rows.randomElement(using: &random))
            var content = Array(row.value[4...])
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<content.count, using: &random)
                content[place] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { content.removeLast(Int.random(in: 0..<content.count, using: &random)) }
            try put(content, row.key)
            _ = try? Till.Sale.filter(\.city >= "").count(in: store)
            _ = try? Till.Sale.query().sum(of: \.cents).resolve(in: store)
            _ = try? Till.Sale.query().average(of: \.weight).resolve(in: store)
            _ = try? Till.Sale.query().grouped(by: \.city).sum(of: \.price).resolve(in: store)
            _ = try? store.insert(Self.sale(Int.random(in: 300..<310, using: &random)), onConflict: .replace)
        }
        // The greatest numbers, in two groups: their sum is beyond every store.
        var content: [UInt8] = []
        LEB128.append(1 << 44, to: &content)
        content += [0, 0, 0]
        try put(content, rows[0].key)
        try put(content, rows[1].key)
        #expect(isDamage(error { _ = try Till.Sale.filter(\.city >= "").count(in: store) }), "TROVE_TEST_SEED=\(seed)")
        // Decimal numbers in place of integers, and more NaNs than numbers.
        for content in [[1, 1, 3, 0, 0, 0, 0], [1, 0, 1, 2, 2, 0, 0, 5, 0, 0, 0]] as [[UInt8]] {
            for row in rows { try put(content, row.key) }
            #expect(isDamage(error { _ = try Till.Sale.filter(\.city >= "").sum(of: \.cents).resolve(in: store) }))
        }
    }

    /// Few groups fit in memory: they are written, also by transactions that are undone.
    @Test func manyGroups_areWrittenBeforeTheCommit() throws {
        try store.write { context in
            context.totals.groupLimit = 3
            for id in 100..<130 {
                let sale = Self.sale(id, city: "City \(id)")
                try? context.nested { nested in
                    try nested.insert(sale)
                    if id % 3 == 0 { throw CancellationError() }
                }
                if id % 3 != 0 { try context.insert(BareSale(sale)) }
            }
            expectSameAnswers(context, "in the transaction")
        }
        expectSameAnswers(store, "committed")
        #expect(try store.check() == [])
    }

    /// What was not compared is not said to be whole.
    @Test func totalsWithADamagedRecord_areNotCompared() throws {
        let type = try store.storedType(Till.prefix)
        var record = try #require(try store.rawRecords(Till.prefix).first)
        record.value[record.value.count - 1] ^= 0xFF
        try store.put(record, into: type.records)
        let check = try store.read { try $0.checkStoredIndexes(of: type) }
        #expect(check.indexes.first { $0.index == name }?.extent == .unknown)
    }
}
