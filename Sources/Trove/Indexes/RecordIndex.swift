// The declaration of an index of a record type.

import TroveCoding

/// An index: entries derived from the records of a type, and maintained by every write.
///
/// `#Index` and `#Unique` declare indexes; a conformance by hand lists them in ``IndexKeyRecord/indexes``. The kinds of
/// indexes are in `Kinds/`, and the full-text indexes in `FullText/`.
public struct RecordIndex<Record: IndexKeyRecord>: Sendable {
    @usableFromInline let descriptor: IndexDescriptor
    /// The columns of an entry, before the record's key.
    let properties: [IndexedProperty<Record>]
    /// The condition for a record to have entries; nil for all records.
    let condition: IndexCondition<Record>?
    /// The rule for a second record with the same values; nil for an index that is not unique.
    let collisions: CollisionRule<Record>?
    /// The derivation of entries from decoded records.
    let derivation: IndexDerivation

    /// Creates an index of a kind.
    @inlinable
    init(
        _ kind: IndexKind, _ properties: [IndexedProperty<Record>], where condition: IndexCondition<Record>? = nil,
        collisions: CollisionRule<Record>? = nil
    ) {
        self.init(
            kind, properties, where: condition, collisions: collisions,
            derivation: IndexDerivation(kind, properties, condition))
    }

    @usableFromInline
    init(
        _ kind: IndexKind, _ properties: [IndexedProperty<Record>], where condition: IndexCondition<Record>?,
        collisions: CollisionRule<Record>?, derivation: IndexDerivation
    ) {
        self.init(kind, properties, where: condition, collisions: collisions, derivation: derivation, rule: nil)
    }

    /// Creates an index of a kind with a rule.
    init(
        _ kind: IndexKind, _ properties: [IndexedProperty<Record>], where condition: IndexCondition<Record>? = nil,
        rule: any IndexRule
    ) {
        self.init(
            kind, properties, where: condition, collisions: nil,
            derivation: IndexDerivation(kind, properties, condition), rule: rule)
    }

    private init(
        _ kind: IndexKind, _ properties: [IndexedProperty<Record>], where condition: IndexCondition<Record>?,
        collisions: CollisionRule<Record>?, derivation: IndexDerivation, rule: (any IndexRule)?
    ) {
        let definition = IndexDefinition(
            properties.map(\.column), by: rule?.definedAnalyzer, where: condition?.text)
        descriptor = IndexDescriptor(
            kind, definition, rule, allowsDuplicates: collisions?.allowsDuplicates ?? false)
        self.properties = properties
        self.condition = condition
        self.collisions = collisions
        self.derivation = derivation
    }
}

extension RecordIndex {
    /// Returns the number of bytes before the record key in an entry stored whole; nil if the bytes are not an entry of
    /// this index.
    func valueSize(in entry: RawSpan) -> Int? {
        do throws(CodingError) {
            return try KeyReader.read(entry) { (reader) throws(CodingError) in
                for property in properties { try property.skip(&reader) }
                let size = reader.offset
                try reader.skip(entry.byteCount - size)
                return size < entry.byteCount ? size : nil
            }
        } catch {
            return nil
        }
    }
}
