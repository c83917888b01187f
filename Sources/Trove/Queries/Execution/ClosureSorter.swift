// The sort of a query's matches by a closure.

import LMDB
import TroveCoding

/// A sort of decoded matches, without the type of their records.
protocol DecodedSorting: AnyObject {
    /// Decodes matches.
    func read(_ matches: Matches) throws

    /// Returns the array index for a match that was read; nil if it is not after the start of the result.
    func insert(_ index: Int) -> Int?

    /// Returns the array indices of the result, in order.
    func places(from offset: Int) -> [Int]
}

/// Sorts the matches of a single query run by a closure. Ties are in key order.
final class ClosureSorter<Record: IndexKeyRecord>: DecodedSorting {
    private struct Item {
        let record: Record
        let key: [UInt8]
    }

    private let areInIncreasingOrder: (Record, Record) -> Bool
    private let table: RecordTable
    private let wanted: Int
    private let start: Item?
    /// The decoded matches of the last batch, by their indices.
    private var batch: [Int: Item] = [:]
    private var items: [Item] = []

    /// - Parameters:
    ///   - wanted: The number of matches in the result, including skipped matches; nil for all.
    ///   - continuation: The record after which the result begins.
    init(
        _ areInIncreasingOrder: @escaping (Record, Record) -> Bool, _ table: RecordTable, wanted: Int?,
        after continuation: CurrentRecord?
    ) throws {
        self.areInIncreasingOrder = areInIncreasingOrder
        self.table = table
        self.wanted = max(0, wanted ?? .max)
        start = try continuation.map { Item(record: try $0.decoded(table), key: $0.entry.key.copy()) }
    }

    func read(_ matches: Matches) throws {
        batch.removeAll(keepingCapacity: true)
        var matches = matches
        while let index = matches.popFirst() {
            let entry = matches[index]
            batch[index] = Item(record: try Record.decode(entry, table), key: entry.key.copy())
        }
    }

    func insert(_ index: Int) -> Int? {
        guard let item = batch[index] else { return nil }
        if let start, !precedes(start, item) { return nil }
        items.append(item)
        return items.count - 1
    }

    func places(from offset: Int) -> [Int] {
        let sorted = items.indices.sorted { precedes(items[$0], items[$1]) }
        return Array(sorted.prefix(wanted).dropFirst(offset))
    }

    private func precedes(_ left: Item, _ right: Item) -> Bool {
        if areInIncreasingOrder(left.record, right.record) { return true }
        if areInIncreasingOrder(right.record, left.record) { return false }
        return TopN.precedes(left.key, right.key)
    }
}
