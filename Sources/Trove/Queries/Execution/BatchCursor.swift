// The cursors of queries. Each kind of cursor reads another one, or a table, and returns entries in batches:
//
//     FilterCursor                    matches of a filter, of the records' current layout
//     └ CursorTree                    records, from a plan
//       ├ TableScan                   the records' own table
//       │ └ OrderedCursor
//       ├ IndexFetch                  index entries → their records
//       │ └ OrderedCursor
//       ├ KeyFetch                    merged keys of several indexes → their records
//       │ └ FilterCursor, one an index
//       └ SourceFetch                 keys of a source → their records
//         └ SourceKeyWalk, or a FilterCursor whose matches get the order of the source
//
//     OrderedCursor                   entries of a table in a scan order
//     ├ RangesCursor                  ranges, one after another
//     ├ IndexCursor                   the same, with long index entries sorted
//     ├ ReversedGroupsCursor          groups in descending order, entries of a group in ascending order
//     └ IncrementalSortCursor         groups in order, entries of a group by their record keys

import LMDB

/// A source of entries, batch by batch.
protocol BatchCursor: ~Copyable {
    /// Returns the next entries, which are valid until the next call; nil at the end.
    ///
    /// - Parameter limit: The maximum number of entries to return, at least 1. A cursor may read more from its table.
    mutating func next(atMost limit: Int) throws -> EntryBatch?
}

extension RangeScan: BatchCursor {}

extension BatchCursor where Self: ~Copyable {
    /// Returns the next entries, as many as the cursor returns at a time; nil at the end.
    mutating func next() throws -> EntryBatch? { try next(atMost: .max) }
}
