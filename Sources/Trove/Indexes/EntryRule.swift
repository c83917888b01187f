// The value of an index entry: the columns of a record in order.

import TroveCoding

/// The rule for turning the columns of a record into the value of its entry.
///
/// All sources of columns write them by this rule. It alone decides whether a record with nil has an entry.
@usableFromInline
struct EntryRule: Sendable {
    /// For each column, the first byte of a value without an entry; nil if every value has an entry.
    @usableFromInline let omitted: [UInt8?]

    init(_ kind: IndexKind, _ columns: [IndexColumn]) {
        omitted = columns.map { kind.indexesNil ? nil : $0.nilByte }
    }

    /// Writes the columns of a record. Returns whether the record has an entry.
    ///
    /// - Parameter write: Writes a column, by its index.
    @inlinable
    @inline(__always)
    func write(to writer: inout KeyWriter, _ write: (_ column: Int, inout KeyWriter) -> Void) -> Bool {
        var hasEntry = true
        for column in omitted.indices {
            let start = writer.offset
            write(column, &writer)
            if let first = omitted[column], writer.byte(at: start) == first { hasEntry = false }
        }
        return hasEntry
    }
}
