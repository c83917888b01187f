// Changes of layouts before a conversion matches their fields.

import TroveCoding

/// Changes of the layouts of a type before their fields are matched by name. They depend on the store, and not on the
/// type alone.
struct LayoutAdaptation: Sendable {
    /// Returns an old layout with the names that its fields have now.
    let old: @Sendable (RecordLayout) -> RecordLayout
    /// Returns the new layout with other rules of its fields.
    let new: @Sendable (RecordLayout) -> RecordLayout
    /// Returns whether a field belongs to the part of the record that the store adds to an entity, by its name.
    let isAdded: @Sendable (String) -> Bool
}

extension LayoutAdaptation {
    /// Returns the conversion of the part of the record that the store adds to an entity. This part is last in both
    /// layouts.
    func conversionOfAddedFields(
        from source: RecordLayout, _ original: RecordLayout, to new: RecordLayout
    ) throws(ConversionError) -> RecordConversion {
        let count = original.fields.reversed().prefix { isAdded($0.name) }.count
        let newCount = new.fields.reversed().prefix { isAdded($0.name) }.count
        return try RecordConversion(
            from: RecordLayout(key: [], fields: Array(source.fields.suffix(count))),
            to: RecordLayout(key: [], fields: Array(new.fields.suffix(newCount))))
    }

    /// Returns the values of the part of a record that the store adds to an entity.
    func addedFields(of record: StoredFields) -> StoredFields {
        StoredFields(Array(record.fields.suffix(record.fields.reversed().prefix { isAdded($0.name) }.count)))
    }
}
