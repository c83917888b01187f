// The cost of queries: seeks, steps, decoded components and fields, records in memory.

#if DEBUG  // Cursor moves are counted only in debug builds.
import LMDB
import Synchronization
import Testing
import TroveTestSupport

@testable import Trove

/// Counts of the operations on the values of this file, for the running test.
private final class Tally: Sendable {
    @TaskLocal static var current = Tally()

    let keys = Atomic(0)
    let fields = Atomic(0)
    let alive = Atomic(0)

    /// Returns the numbers of key components and fields decoded by a closure.
    static func decoded(_ body: () throws -> Void) throws -> [Int] {
        let tally = Tally()
        try $current.withValue(tally, operation: body)
        return [tally.keys.load(ordering: .relaxed), tally.fields.load(ordering: .relaxed)]
    }
}

/// A number whose decoding is counted.
private struct Counted: KeyComponent, ExpressibleByIntegerLiteral {
    let number: Int

    init(_ number: Int) { self.number = number }
    init(integerLiteral number: Int) { self.number = number }

    static func describe(in layout: inout LayoutBuilder) { Int.describe(in: &layout) }
    var encodedSize: Int { 8 }
    func encode(into writer: inout ValueWriter) { number.encode(into: &writer) }
    static func skip(in reader: inout ValueReader) throws(CodingError) { try reader.skip(8) }
    func encodeKey(into writer: inout KeyWriter) { number.encodeKey(into: &writer) }
    static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(8) }

    init(decoding reader: inout ValueReader) throws(CodingError) {
        Tally.current.fields.add(1, ordering: .relaxed)
        number = try Int(decoding: &reader)
    }

    init(decodingKey reader: inout KeyReader) throws(CodingError) {
        Tally.current.keys.add(1, ordering: .relaxed)
        number = try Int(decodingKey: &reader)
    }
}

@IndexKeyRecord("group", "number")
private struct Sample: Hashable {
    let group: Counted
    let number: Counted
    var first: Counted
    var second: Counted
    var third: Counted
}

/// A field counted while it is in memory.
private struct Load: RecordValue {
    private final class Life: Sendable {
        let tally = Tally.current
        init() { tally.alive.add(1, ordering: .relaxed) }
        deinit { tally.alive.subtract(1, ordering: .relaxed) }
    }

    private let life = Life()

    static func describe(in layout: inout LayoutBuilder) { Bool.describe(in: &layout) }
    var encodedSize: Int { 1 }
    func encode(into writer: inout ValueWriter) { writer.writeByte(0) }
    init() {}
    init(decoding reader: inout ValueReader) throws(CodingError) { _ = try reader.readByte() }
}

@IndexKeyRecord("number")
private struct Heavy {
    let number: Int
    let load: Load
}

@Suite("Costs of queries") struct CostTests {
    let store: Store

    /// Stores ten groups of a thousand records.
    init() throws {
        store = try Store.temporary()
        try store.write { context in
            for group in 0..<10 {
                for number in 0..<1000 {
                    try context.insert(
                        Sample(group: Counted(group), number: Counted(number), first: 1, second: 2, third: 3))
                }
            }
        }
    }

    /// Returns the moves of a read's cursor during a closure.
    private func moves(in context: ReadContext, _ body: () throws -> Void) throws -> CursorMoves {
        context.core.cursorMoves = CursorMoves()
        try body()
        return context.core.cursorMoves
    }

    // MARK: Seeks

    @Test func range_seeksOnce() throws {
        let queries: [Query<Sample>] = [
            Sample.query(), Sample.query(group: 4), Sample.query(group: .lessThan(4)),
            Sample.query(group: .range(from: 4, upTo: 6)), Sample.query(group: 4, number: 500),
            Sample.query(group: 4, number: .greaterThan(500)), Sample.query(group: 4, number: .lessThanOrEqual(500)),
            Sample.query(group: 4, number: .closedRange(from: 400, through: 500)),
            Sample.query(group: 4, number: .closedRange(from: 5000, through: 6000)),
        ]
        try store.read { context in
            for query in queries {
                for order in [KeyOrder.ascending, .descending] {
                    let query = query.order(order)
                    var found = 0
                    let walk = try moves(in: context) { found = try query.resolve(in: context).count }
                    #expect(walk.seeks == 1)
                    // A batch may read past the last record: by 4 at first, then by as many as were found, by 64 at
                    // most.
                    #expect((found...found + max(4, min(found, 64))).contains(walk.steps))
                    #expect(try moves(in: context) { _ = try query.first(in: context) }.steps <= 1)
                    #expect(try moves(in: context) { _ = try query.exists(in: context) }.steps <= 1)
                    let few = try moves(in: context) { _ = try query.limit(5).resolve(in: context) }
                    #expect(few.seeks == 1 && few.steps <= 5)
                }
            }
        }
    }

    @Test func within_seeksOnceAValue() throws {
        try store.read { context in
            let walk = try moves(in: context) { () throws in
                #expect(try Sample.query(group: 4, number: .within([7, 5, 900])).resolve(in: context).count == 3)
            }
            #expect(walk.seeks == 3 && walk.steps <= 3 * 4)
        }
    }

    @Test func everyPage_costsWhatTheFirstOneCosts() throws {
        try store.read { context in
            for order in [KeyOrder.ascending, .descending] {
                for last in [Tuple(4, 10), Tuple(4, 500), Tuple(4, 980)] as [Sample.IndexKey] {
                    let page = try moves(in: context) { () throws in
                        let query = Sample.query(group: 4).order(order).limit(10).after(key: last)
                        #expect(try query.resolve(in: context).count == 10)
                    }
                    #expect(page == CursorMoves(seeks: 1, steps: order == .ascending ? 9 : 10))
                }
            }
        }
    }

    @Test func countOfAType_movesNothing() throws {
        try store.read { context in
            let walk = try moves(in: context) {
                let count = try Sample.query().count(in: context)
                #expect(count == 10_000)
            }
            #expect(walk == CursorMoves())
        }
    }

    // MARK: Decoding

    @Test func countAndExists_decodeNothing() throws {
        let range = Sample.query(group: 4, number: .lessThan(500))
        let decoded = try Tally.decoded { () throws in
            #expect(try range.count(in: store) == 500)
            #expect(try range.limit(100).count(in: store) == 100)
            #expect(try range.exists(in: store))
            #expect(try store.contains(Sample.self, key: Tuple(4, 7)))
        }
        #expect(decoded == [0, 0])
    }

    @Test func keys_decodeNoFields() throws {
        let decoded = try Tally.decoded { () throws in
            #expect(try Sample.query(group: 4, number: .lessThan(5)).keys(in: store).count == 5)
        }
        #expect(decoded == [10, 0])
    }

    @Test func projections_decodeOnlyWhatTheyName() throws {
        let query = Sample.query(group: 4, number: .lessThan(100))
        #expect(try Tally.decoded { _ = try query.select(\.third).resolve(in: store) } == [0, 100])
        #expect(try Tally.decoded { _ = try query.select(\.number).resolve(in: store) } == [100, 0])
        #expect(try Tally.decoded { _ = try query.select(\.first, \.group).resolve(in: store) } == [100, 100])
    }

    @Test func limits_boundTheDecodedRecords() throws {
        let query = Sample.query(group: 4)
        #expect(try Tally.decoded { _ = try query.limit(3).resolve(in: store) } == [6, 9])
        #expect(try Tally.decoded { _ = try query.first(in: store) } == [2, 3])
        let stopped = try Tally.decoded {
            var seen = 0
            try query.forEach(in: store) { _ in
                seen += 1
                return seen == 4 ? .stop : .continue
            }
        }
        #expect(stopped == [8, 12])
    }

    // MARK: Memory

    @Test func forEach_keepsOneRecordInMemory() throws {
        try store.write { context in
            for number in 0..<1000 { try context.insert(Heavy(number: number, load: Load())) }
        }
        let tally = Tally()
        try Tally.$current.withValue(tally) {
            var most = 0
            try Heavy.query().forEach(in: store) { _ in most = max(most, tally.alive.load(ordering: .relaxed)) }
            #expect(most == 1)
            // A select collects all records, and keeps all of them in memory.
            let all = try Heavy.query().resolve(in: store)
            #expect(tally.alive.load(ordering: .relaxed) == all.count)
        }
    }
}
#endif
