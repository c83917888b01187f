// The derivation of entries from decoded records.

import TroveCoding

/// The derivation of an index's entries from decoded records, without the type of the records: generic code would look
/// the type's metadata up for each record.
@usableFromInline
@safe struct IndexDerivation: Sendable {
    /// Writes the columns of the record at the pointer. Returns whether the record has entries.
    @usableFromInline let encode: @Sendable (UnsafeRawPointer, inout KeyWriter) -> Bool
    /// Makes the entries of the columns; nil where the columns are the value of the only entry.
    let split: EntrySplit?

    @usableFromInline
    init(_ split: EntrySplit?, _ encode: @escaping @Sendable (UnsafeRawPointer, inout KeyWriter) -> Bool) {
        self.split = split
        unsafe self.encode = encode
    }

    /// Creates the derivation of an index.
    ///
    /// - Parameters:
    ///   - kind: The index's kind.
    ///   - properties: The columns.
    ///   - condition: The condition for a record to have entries; nil for all records.
    @inlinable
    init<Record>(
        _ kind: IndexKind, _ properties: [IndexedProperty<Record>], _ condition: IndexCondition<Record>?
    ) {
        let rule = EntryRule(kind, properties)
        unsafe self.init(kind.split) { record, writer in
            let record = unsafe record.assumingMemoryBound(to: Record.self)
            if let condition, unsafe !condition.holds(record.pointee) { return false }
            return rule.write(to: &writer) { column, writer in
                unsafe properties[column].encode(record.pointee, &writer)
            }
        }
    }
}

extension EntryRule {
    @usableFromInline
    init<Record>(_ kind: IndexKind, _ properties: [IndexedProperty<Record>]) {
        self.init(kind, properties.map(\.column))
    }
}
