// The value of an index entry: the columns of a record in order.

import TroveCoding

/// The rule for turning the columns of a record into the value of its entry.
///
/// All sources of columns write them by this rule. It alone decides whether a record with nil has an entry.
@usableFromInline
struct EntryRule: Sendable {
    /// For each column, the first byte of a value without an entry; nil if every value has an entry.
    @usableFromInline let omitted: [UInt8?]
    /// The column of elements; nil if the index has none.
    @usableFromInline let elements: Int?
    /// Derives several entries from the columns; nil if the columns in order are the value of the only entry.
    @usableFromInline let split: EntrySplit?

    init(_ kind: IndexKind, _ columns: [IndexColumn]) {
        omitted = columns.map { kind.indexesNil ? nil : $0.nilByte }
        elements = columns.firstIndex { $0.form == .element }
        split = kind.split ?? (elements == nil ? nil : ElementEntries.split)
    }

    /// Writes the columns of a record. Returns whether the record has an entry.
    ///
    /// - Parameter write: Writes a column, by its index.
    @inlinable
    @inline(__always)
    func write(to writer: inout KeyWriter, _ write: (_ column: Int, inout KeyWriter) -> Void) -> Bool {
        if let elements { return writeElements(elements, to: &writer, write) }
        var hasEntry = true
        for column in omitted.indices {
            let start = writer.offset
            write(column, &writer)
            if let first = omitted[column], writer.byte(at: start) == first { hasEntry = false }
        }
        return hasEntry
    }

    /// Writes the columns of a record with elements, and their sizes.
    @usableFromInline
    func writeElements(
        _ elements: Int, to writer: inout KeyWriter, _ write: (_ column: Int, inout KeyWriter) -> Void
    ) -> Bool {
        var sizes = (before: 0, elements: 0)
        for column in omitted.indices {
            let start = writer.offset
            write(column, &writer)
            if column < elements { sizes.before += writer.offset - start }
            if column == elements { sizes.elements = writer.offset - start }
        }
        ElementEntries.writeSize(sizes.before, to: &writer)
        ElementEntries.writeSize(sizes.elements, to: &writer)
        return sizes.elements > 0
    }
}
