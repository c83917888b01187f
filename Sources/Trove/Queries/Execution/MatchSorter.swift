// The sort of a query's matches.

import LMDB

/// Sorts the matches of a single query run.
@usableFromInline
struct MatchSorter<Record: IndexKeyRecord> {
    private let keys: [SortKey<Record>]
    private let table: RecordTable
    private var bytes = SortBytes()
    private let continuation: [UInt8]?
    @usableFromInline var sorted: TopN

    /// - Parameter continuation: The record after which the result begins.
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

    /// Reads the sort bytes of matches.
    @usableFromInline
    mutating func read(_ matches: Matches) throws {
        _ = try Self.read(&bytes, matches, keys, table)
    }

    /// Returns the array index for a match whose sort bytes were read; nil if the result does not need it.
    @usableFromInline
    mutating func insert(_ index: Int) -> Int? {
        if let continuation, !TopN.precedes(continuation, bytes.values[index]) { return nil }
        return sorted.insert(bytes.values[index])
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
        return bytes.values
    }
}
