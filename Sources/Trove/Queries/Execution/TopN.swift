// The sorting of what a query finds. Elements of any type lie in an array of the caller's; here are the bytes by which
// they sort, and the places in that array.

import LMDB

/// The first of some elements in the order of their bytes: all of them, or no more than are wanted.
///
/// Of a limited number, up to twice as many are kept; then the greater half goes. So whatever sorts behind those that are
/// known is dropped at a glance, and the memory follows from the limit alone.
@usableFromInline
struct TopN {
    private struct Item {
        /// The first eight bytes, which nearly always decide.
        var head: UInt64
        var bytes: [UInt8]
        var place: Int
    }

    private var items: [Item] = []
    private let wanted: Int
    /// How many are kept before the greater half goes.
    private let capacity: Int
    /// The greatest bytes that can still be among those wanted.
    private var bound: [UInt8]?
    private var freePlaces: [Int] = []
    private var placeCount = 0

    init(wanted: Int?) {
        self.wanted = max(0, wanted ?? .max)
        let (double, overflow) = self.wanted.multipliedReportingOverflow(by: 2)
        capacity = overflow ? .max : max(double, 64)
    }

    /// The place of an element that sorts by these bytes; nil where it is not among those wanted.
    mutating func insert(_ bytes: [UInt8]) -> Int? {
        guard wanted > 0 else { return nil }
        if let bound, !Self.precedes(bytes, bound) { return nil }
        let place = freePlaces.popLast() ?? placeCount
        placeCount = max(placeCount, place + 1)
        items.append(Item(head: ByteView.with(bytes, \.head), bytes: bytes, place: place))
        if items.count == capacity { prune() }
        return place
    }

    private mutating func prune() {
        sort()
        let kept = min(wanted, items.count)
        freePlaces += items[kept...].map(\.place)
        items.removeSubrange(kept...)
        bound = items.last?.bytes
    }

    /// The places of the elements that are wanted, in their order.
    @usableFromInline
    mutating func places(from offset: Int) -> [Int] {
        sort()
        return items.prefix(wanted).dropFirst(offset).map(\.place)
    }

    private mutating func sort() {
        items.sort { left, right in
            left.head != right.head ? left.head < right.head : Self.precedes(left.bytes, right.bytes)
        }
    }

    static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        ByteView.with(left) { $0.compare(right) < 0 }
    }
}

/// The sorting of the records that one run of a query finds.
@usableFromInline
struct MatchSorter<Record: IndexKeyRecord> {
    private let keys: [SortKey<Record>]
    private let table: RecordTable
    private var bytes = SortBytes()
    private let continuation: [UInt8]?
    @usableFromInline var sorted: TopN

    /// - Parameter continuation: The record behind which the first one sorts.
    init(_ keys: [SortKey<Record>], _ table: RecordTable, wanted: Int?, after continuation: CurrentRecord?) throws {
        self.keys = keys
        self.table = table
        sorted = TopN(wanted: wanted)
        guard let continuation else {
            self.continuation = nil
            return
        }
        self.continuation = try Self.read(&bytes, continuation.matches, keys, table)[0]
    }

    /// Reads what matches sort by.
    @usableFromInline
    mutating func read(_ matches: Matches) throws {
        _ = try Self.read(&bytes, matches, keys, table)
    }

    /// The place of one of the matches that were read; nil where it is not wanted.
    @usableFromInline
    mutating func insert(_ index: Int) -> Int? {
        if let continuation, !TopN.precedes(continuation, bytes.rows[index]) { return nil }
        return sorted.insert(bytes.rows[index])
    }

    private static func read(
        _ bytes: inout SortBytes, _ matches: Matches, _ keys: [SortKey<Record>], _ table: RecordTable
    ) throws -> [[UInt8]] {
        var run = RecordRun(matches.batch)
        do throws(CodingError) {
            try bytes.read(&run, matches.bits, keys)
        } catch {
            throw run.corrupted(table, error)
        }
        return bytes.rows
    }
}
