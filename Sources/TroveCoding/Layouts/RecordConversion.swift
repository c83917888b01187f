// How a record of one layout becomes one of another: by the names of its components and fields.
//
// What is done with the fields' bytes is decided once, when the conversion is made: most of them move as they are.
// Only what has to change is read as a value and written again.

/// Converts the records of one layout into those of another.
///
/// The new layout's own fields know their old names and their defaults. Make one conversion for many records.
public final class RecordConversion: Sendable {
    /// What happens to each component and field to which something happens, in the order of the new layout; those that
    /// go come last.
    public let changes: [FieldChange]
    /// Whether there may be records that cannot be converted.
    public let canFail: Bool
    /// Whether keys stay as they are, byte for byte.
    public let keepsKey: Bool
    /// Whether records of different keys always get different keys.
    public let keepsKeysDistinct: Bool

    let old: RecordLayout
    let new: RecordLayout
    /// Where the new key's components come from: the old key's, then the old fields.
    let key: [FieldMatch]
    /// Where the new fields come from.
    let fields: [FieldMatch]
    /// What is done with the bytes of the fields.
    let steps: [FieldStep]
    let walk: FieldWalk

    /// Finds the conversion.
    ///
    /// - Parameters:
    ///   - old: The layout with which records were written.
    ///   - new: The layout that they are to have.
    ///   - keepingKeys: Whether records stay under the keys that they have. The components of both layouts then have the
    ///     same types; whatever their names were, each is the one in its place.
    /// - Throws: ``ConversionError`` at the first field for which there is none.
    public init(
        from old: RecordLayout, to new: RecordLayout, keepingKeys: Bool = false
    ) throws(ConversionError) {
        // To find a field, all those before it must be known.
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
        steps = FieldStep.all(fields, keyCount: old.key.count)
        walk = FieldWalk(old.fields)
        self.old = old
        self.new = new
    }
}

extension [FieldMatch] {
    /// Whether one of the fields comes from the old key.
    func readKey(of old: RecordLayout) -> Bool {
        contains { match in match.source.map { $0 < old.key.count } ?? false }
    }
}
