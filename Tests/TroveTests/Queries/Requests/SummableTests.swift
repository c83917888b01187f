// The numbers that queries add up, and the least and greatest values of optionals in both directions.

import Foundation
import Testing
import TroveCoding

@testable import Trove

/// A number of each kind, and an optional of each family.
@IndexKeyRecord("id")
struct SummedNumbers {
    let id: Int
    var group: Int = 0
    var tiny: Int8 = 0
    var short: Int16 = 0
    var medium: Int32 = 0
    var long: Int64 = 0
    var huge: Int128 = 0
    var byte: UInt8 = 0
    var word: UInt16 = 0
    var half: UInt32 = 0
    var whole: UInt64 = 0
    var vast: UInt128 = 0
    var plain: UInt = 0
    var single: Float = 0
    var double: Double = 0
    var money: Decimal = 0
    var count: Int?
    var part: UInt8?
    var ratio: Double?
    var price: Decimal?
}

/// Entries of an index with values that can be nil.
@IndexKeyRecord("id")
struct WeighedParcel: Hashable {
    #Index<WeighedParcel>(\.day.desc, \.weight)
    #Index<WeighedParcel>(\.shelf, \.weight.desc)

    let id: Int
    var day: Int
    var shelf: Int
    var weight: Int?
    var rank: Descending<Int?>
}

@Suite("Sums and extremes of all kinds") struct SummableTests {
    private func store(_ change: (inout SummedNumbers) -> Void) throws -> Store {
        let store = try Store.temporary(records: [SummedNumbers.self])
        try store.insert(
            contentsOf: (1...3).map { id in
                var tally = SummedNumbers(id: id)
                if id < 3 { change(&tally) }
                return tally
            })
        return store
    }

    /// Two records have the value; one has 0, or nil.
    private func expect<Value: Summable>(
        _ path: WritableKeyPath<SummedNumbers, Value> & Sendable, _ value: Value, sum: Value.Number,
        average: Value.Number.Average
    ) throws where Value.Number: Equatable, Value.Number.Average: Equatable {
        let store = try store { $0[keyPath: path] = value }
        #expect(try SummedNumbers.query().sum(of: path).resolve(in: store) == sum)
        #expect(try SummedNumbers.query().average(of: path).resolve(in: store) == average)
        #expect(try SummedNumbers.query().filter(.everything).sum(of: path).resolve(in: store) == sum)
        let groups = SummedNumbers.grouped(by: \.group)
        #expect(try groups.sum(of: path).resolve(in: store).map(\.value) == [sum])
        #expect(try groups.average(of: path).resolve(in: store).map { "\($0.value)" } == ["\(average)"])
        #expect(try SummedNumbers.query(id: 9).sum(of: path).resolve(in: store) == Value.Number._sum(.zero))
        #expect(try SummedNumbers.query(id: 9).average(of: path).resolve(in: store) == nil)
    }

    @Test func numbers_areAddedInTheirOwnType() throws {
        try expect(\.tiny, 60, sum: 120, average: 40)
        try expect(\.short, -600, sum: -1_200, average: -400)
        try expect(\.medium, 6, sum: 12, average: 4)
        try expect(\.long, 6, sum: 12, average: 4)
        try expect(\.huge, 1 << 100, sum: 1 << 101, average: Double(1 << 101 as Int128) / 3)
        try expect(\.byte, 120, sum: 240, average: 80)
        try expect(\.word, 6, sum: 12, average: 4)
        try expect(\.half, 6, sum: 12, average: 4)
        try expect(\.whole, 6, sum: 12, average: 4)
        try expect(\.vast, 1 << 120, sum: 1 << 121, average: Double(1 << 121 as UInt128) / 3)
        try expect(\.plain, 6, sum: 12, average: 4)
        try expect(\.single, 0.25, sum: 0.5, average: 0.5 / 3)
        try expect(\.double, 0.25, sum: 0.5, average: 0.5 / 3)
        try expect(\.money, 1.5, sum: 3, average: 1)
    }

    /// Nil does not count in an average.
    @Test func optionals_areAddedWithoutNil() throws {
        let store = try store { ($0.count, $0.part, $0.ratio, $0.price) = (6, 7, 0.5, 2.5) }
        #expect(try SummedNumbers.query().sum(of: \.count).resolve(in: store) == 12)
        #expect(try SummedNumbers.query().average(of: \.count).resolve(in: store) == 6)
        #expect(try SummedNumbers.query().sum(of: \.ratio).resolve(in: store) == 1)
        #expect(try SummedNumbers.query().average(of: \.price).resolve(in: store) == 2.5)
        let none = SummedNumbers.query(id: 3)
        #expect(try none.sum(of: \.price).resolve(in: store) == 0)
        #expect(try none.average(of: \.price).resolve(in: store) == nil)
        #expect(try none.grouped(by: \.group).average(of: \.price).resolve(in: store).map(\.value) == [nil])
        #expect(try none.grouped(by: \.group).average(of: \.ratio).resolve(in: store).map(\.value) == [nil])
        #expect(try none.grouped(by: \.group).max(of: \.price).resolve(in: store).map(\.value) == [nil])
    }

    @Test func aSumBeyondTheGreatestNumber_throws() throws {
        let store = try store { ($0.byte, $0.part, $0.money) = (200, 200, .greatestFiniteMagnitude) }
        #expect(throws: StoreError.query(.sumOverflow(type: "SummedNumbers", property: "\(\SummedNumbers.byte)"))) {
            try SummedNumbers.query().sum(of: \.byte).resolve(in: store)
        }
        #expect(throws: StoreError.self) { try SummedNumbers.query().sum(of: \.part).resolve(in: store) }
        #expect(throws: StoreError.self) { try SummedNumbers.query().average(of: \.money).resolve(in: store) }
        #expect(throws: StoreError.self) {
            try SummedNumbers.grouped(by: \.group).sum(of: \.part).resolve(in: store)
        }
        // An average of integers is computed as a `Double`.
        #expect(try SummedNumbers.query().average(of: \.byte).resolve(in: store) == 400.0 / 3)
    }

    /// A descending nil is a value: the least of `desc` is the greatest number, and the greatest is nil.
    @Test func extremesOfDescendingOptionals_areThoseOfTheirOrder() throws {
        let store = try Store.temporary(records: [WeighedParcel.self])
        let parcels = (0..<120).map { id in
            WeighedParcel(
                id: id, day: id % 3, shelf: id % 4, weight: id % 5 == 0 ? nil : id,
                rank: Descending(id % 7 == 0 ? nil : id))
        }
        try store.insert(contentsOf: parcels)
        let weights = (0..<4).map { shelf in parcels.filter { $0.shelf == shelf }.map(\.weight) }
        let byShelf = WeighedParcel.grouped(by: \.shelf)
        let least = try byShelf.min(of: \.weight.desc).resolve(in: store).map(\.value.value)
        #expect(least == weights.map { $0.compactMap(\.self).max() })
        let greatest = try byShelf.max(of: \.weight.desc).resolve(in: store).map(\.value.value)
        #expect(greatest == weights.map { $0.contains(nil) ? nil : $0.compactMap(\.self).min() })
        #expect(
            try byShelf.min(of: \.weight).resolve(in: store).map(\.value) == weights.map { $0.compactMap(\.self).min() }
        )
        let days = try WeighedParcel.grouped(by: \.day.desc).min(of: \.weight.desc).resolve(in: store)
        #expect(
            days.map(\.value.value)
                == [2, 1, 0].map { day in parcels.filter { $0.day == day }.compactMap(\.weight).max() })
        #expect(try WeighedParcel.query().max(of: \.rank).resolve(in: store) == Descending(nil))
        #expect(try WeighedParcel.query().limit(10).max(of: \.rank).resolve(in: store) == Descending(nil))
        #expect(try WeighedParcel.query().min(of: \.rank).resolve(in: store) == Descending(118))
    }

    @Test func requestsOfGroups_areBound_andExplainThemselves() throws {
        let store = try store { $0.count = 4 }
        try store.read { context in
            let groups = SummedNumbers.query(in: context).grouped(by: \.group)
            // A closure whose only `try` is in `#expect` does not throw for the compiler.
            let counts = try groups.count().map(\.value)
            #expect(counts == [3])
            #expect(try groups.keys.resolve() == [0])
            #expect(try groups.sum(of: \.count)().map(\.value) == [8])
            #expect(try groups.sum(of: \.count).explain().contains("groups: group"))
            #expect(try SummedNumbers.distinct(\.group).explain(in: context) == groups.explain())
            #expect(
                "\(groups)" == "SummedNumbers.query().grouped(by: \\.group)"
                    || "\(groups)".hasSuffix(".grouped(by: \\.group)")
            )
        }
    }
}
