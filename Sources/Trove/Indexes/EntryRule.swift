// The value of an index entry: the columns of a record, one after the other.

import TroveCoding

/// The rule by which the columns of a record become the value of its entry.
///
/// All sources of columns write them by this rule, which alone decides whether nil makes an entry.
@usableFromInline
struct EntryRule: Sendable {
    /// By column, the first byte of the value with which a record has no entry; nil where every value has an entry.
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
