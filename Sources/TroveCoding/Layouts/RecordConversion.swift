// The conversion of records from one layout to another, by the names of components and fields.
//
// A conversion is planned once: most bytes are copied as they are. Only values that change are read and written again.

/// A conversion of records from an old layout to a new layout.
///
/// The old names and the defaults are in the fields of the new layout. Create a conversion once for many records.
public final class RecordConversion: Sendable {
    /// The changes of components and fields, in the order of the new layout. Removed fields come last.
    public let changes: [FieldChange]
    /// Whether some records may not convert.
    public let canFail: Bool
    /// Whether all keys stay the same, byte for byte.
    public let keepsKey: Bool
    /// Whether records with different keys always get different keys.
    public let keepsKeysDistinct: Bool

    /// The old components and fields that have no place in the new layout, at any depth; nil if there are none.
    package let dropped: DroppedFields?

    let old: RecordLayout
    let new: RecordLayout
    /// The sources of the new key's components: the old key's components, then the old fields.
    let key: [FieldMatch]
    /// The sources of the new fields.
    let fields: [FieldMatch]
    /// The steps that create the bytes of the new fields.
    let steps: [FieldStep]
    let walk: FieldWalk

    /// Plans the conversion.
    ///
    /// - Parameters:
    ///   - old: The layout of the stored records.
    ///   - new: The layout of the converted records.
    ///   - keepingKeys: Whether records keep their keys. Then the components of both layouts have the same types, and
    ///     match by their places instead of their names.
    /// - Throws: ``ConversionError`` at the first field without a conversion.
    public init(
        from old: RecordLayout, to new: RecordLayout, keepingKeys: Bool = false
    ) throws(ConversionError) {
        // A field can be found only if all fields before it are known.
        if let unknown = old.fields.unknownPart { throw unknown }
        let sources = old.key + old.fields
        if keepingKeys {
            key = try FieldMatch.byPlace(from: old.key, to: new.key)
            fields = try FieldMatch.all(from: sources, to: new.fields, keptCount: old.key.count)
        } else {
            key = try FieldMatch.all(from: sources, to: new.key)
            fields = try FieldMatch.all(from: sources, to: new.fields)
        }
        keepsKey = Self.keepsKey(key, old)
        if let unknown = old.key.unknownPart, !keepsKey || fields.readKey(of: old) { throw unknown }
        keepsKeysDistinct = old.key.indices.allSatisfy { [key] index in
            key.contains { $0.source == index && $0.conversion.isInjective }
        }
        canFail =
            (key + fields).contains { $0.conversion.canFail } || !keepsKey && Self.mayNeedLongerKeys(key, old)
        changes = FieldChange.all(from: sources, keyCount: old.key.count, key: key, fields: fields)
        let dropped = try DroppedFields(from: sources, key + fields)
        self.dropped = dropped.names.isEmpty ? nil : dropped
        steps = FieldStep.all(fields, keyCount: old.key.count)
        walk = FieldWalk(old.fields)
        self.old = old
        self.new = new
    }
}

extension [FieldMatch] {
    /// Returns whether the source of a field is in the old key.
    func readKey(of old: RecordLayout) -> Bool {
        contains { match in match.source.map { $0 < old.key.count } ?? false }
    }
}
