// The sort of a query's matches.

import LMDB

/// Sorts the matches of a single query run.
@usableFromInline
struct MatchSorter {
    private let terms: [SortTerm]
    private let table: RecordTable
    private var bytes = SortBytes()
    private let continuation: [UInt8]?
    @usableFromInline var sorted: TopN

    /// - Parameter continuation: The record after which the result begins.
    init(_ terms: [SortTerm], _ table: RecordTable, wanted: Int?, after continuation: CurrentRecord?) throws {
        self.terms = terms
        self.table = table
        sorted = TopN(wanted: wanted)
        guard let continuation else {
            self.continuation = nil
            return
        }
        self.continuation = try Self.read(&bytes, continuation.matches, terms, table)[0]
    }

    /// Reads the sort bytes of matches.
    @usableFromInline
    mutating func read(_ matches: Matches) throws {
        _ = try Self.read(&bytes, matches, terms, table)
    }

    /// Returns the array index for a match whose sort bytes were read; nil if the result does not need it.
    @usableFromInline
    mutating func insert(_ index: Int) -> Int? {
        if let continuation, !TopN.precedes(continuation, bytes.values[index]) { return nil }
        return sorted.insert(bytes.values[index])
    }

    private static func read(
        _ bytes: inout SortBytes, _ matches: Matches, _ terms: [SortTerm], _ table: RecordTable
    ) throws -> [[UInt8]] {
        var run = RecordRun(matches.batch)
        do throws(CodingError) {
            try bytes.read(&run, matches.bits, terms)
        } catch {
            throw run.corrupted(table, error)
        }
        return bytes.values
    }
}
