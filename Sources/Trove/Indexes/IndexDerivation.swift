// The derivation of entries from decoded records.

import TroveCoding

/// The derivation of an index's entries from decoded records, independent of the record type: generic code would look
/// up its metadata for each record.
@usableFromInline
struct IndexDerivation: Sendable {
    /// Writes the columns of a record of the index's type. Returns whether the record has entries.
    @usableFromInline let encode: @Sendable (UntypedRecord, inout KeyWriter) -> Bool
    /// Derives several entries from the columns; nil if the columns are the value of the only entry.
    let split: EntrySplit?

    @usableFromInline
    init(_ split: EntrySplit?, _ encode: @escaping @Sendable (UntypedRecord, inout KeyWriter) -> Bool) {
        self.split = split
        self.encode = encode
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
        self.init(rule.split) { record, writer in
            let record = record.record(as: Record.self)
            if let condition, !condition.holds(record) { return false }
            return rule.write(to: &writer) { column, writer in properties[column].encode(record, &writer) }
        }
    }
}

extension EntryRule {
    @usableFromInline
    init<Record>(_ kind: IndexKind, _ properties: [IndexedProperty<Record>]) {
        self.init(kind, properties.map(\.column))
    }
}
