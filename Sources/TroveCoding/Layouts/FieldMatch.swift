// Where the fields of a new layout come from: from the old field of the same name, else from that of the old name, else
// from nowhere. Records and the records nested in them are matched alike.

/// A field of a new layout, and where its value comes from.
final class FieldMatch: Sendable {
    /// The new field.
    let field: LayoutField
    /// Which of the old fields it was; nil where there was none.
    let source: Int?
    /// What its old value becomes.
    let conversion: ValueConversion
    /// What it takes in place of no value, and of nil where nil is not possible any more.
    let defaultValue: DefaultValue?
    private let makeDefault: (@Sendable () throws(CodingError) -> FieldValue)?

    /// Matches all fields.
    ///
    /// - Parameters:
    ///   - old: The old components and fields.
    ///   - new: The new fields.
    ///   - keptCount: How many of the old ones stay what they are, perhaps under another name: a new field of their name
    ///     is another one, unless it says that it was renamed.
    /// - Throws: ``ConversionError`` at the first one that has no value in old records.
    static func all(
        from old: [LayoutField], to new: [LayoutField], keptCount: Int = 0
    ) throws(ConversionError) -> [FieldMatch] {
        try new.map { (field) throws(ConversionError) in
            let byName = old.dropFirst(keptCount).firstIndex { $0.name == field.name }
            let byOldName = field.rule.oldName.flatMap { name in old.firstIndex { $0.name == name } }
            return try FieldMatch(field, byName ?? byOldName, of: old)
        }
    }

    /// Matches the components of a key that stays as it is, each with the one in its place.
    static func byPlace(
        from old: [LayoutField], to new: [LayoutField]
    ) throws(ConversionError) -> [FieldMatch] {
        try zip(new.indices, new).map { (index, field) throws(ConversionError) in
            try FieldMatch(field, old.indices.contains(index) ? index : nil, of: old)
        }
    }

    private init(_ field: LayoutField, _ source: Int?, of old: [LayoutField]) throws(ConversionError) {
        self.field = field
        self.source = source
        if let source {
            (conversion, defaultValue) = try Self.conversion(from: old[source], to: field)
        } else {
            guard field.rule.defaultValue != nil || field.type.isOptional else {
                throw ConversionError(field: field.name, reason: .noDefault)
            }
            conversion = .identity
            defaultValue = field.rule.defaultValue
        }
        do throws(CodingError) {
            makeDefault = try defaultValue?.fieldValueMaker()
        } catch {
            throw ConversionError(field: field.name, reason: .value(error))
        }
    }

    /// The conversion of a field, and its default where that takes the place of nil.
    private static func conversion(
        from old: LayoutField, to new: LayoutField
    ) throws(ConversionError) -> (ValueConversion, DefaultValue?) {
        do throws(ValueConversion.Mismatch) {
            // Where nil is still possible, it stays.
            guard case .optional(let wrapped) = old.type, !new.type.isOptional,
                let defaultValue = new.rule.defaultValue
            else { return (try ValueConversion(from: old.type, to: new.type), nil) }
            let inner = try ValueConversion(from: wrapped, to: new.type)
            var conversion = Conversions.unwrapping(inner)
            conversion.canFail = inner.canFail
            conversion.isInjective = false
            return (conversion, defaultValue)
        } catch {
            switch error {
            case .types:
                throw ConversionError(field: new.name, reason: .differentTypes(from: old.type, to: new.type))
            case .inside(let inner):
                throw ConversionError(field: new.name + "." + inner.field, reason: inner.reason)
            }
        }
    }

    /// The new value.
    ///
    /// - Parameters:
    ///   - old: The old one; nil where there is none.
    ///   - enclosing: The conversions of the records and enums that contain it, the outermost first.
    func value(
        of old: FieldValue?, in enclosing: [ValueConversion] = []
    ) throws(CodingError) -> FieldValue {
        if let old, !takesDefault(for: old) { return try conversion.convert(old, enclosing) }
        return try madeValue()
    }

    private func takesDefault(for old: FieldValue) -> Bool { makeDefault != nil && old == .null }

    private func madeValue() throws(CodingError) -> FieldValue { try makeDefault?() ?? .null }

    /// The new value of a field of a nested record; an error names the field.
    func nestedValue(
        of record: StoredFields, in enclosing: [ValueConversion]
    ) throws(CodingError) -> FieldValue {
        do throws(CodingError) {
            return try value(of: source.map { record.fields[$0].value }, in: enclosing)
        } catch {
            throw ConversionError(field: field.name, reason: .value(error)).asCodingError
        }
    }
}
