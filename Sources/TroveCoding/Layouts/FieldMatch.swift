// The sources of the fields of a new layout: the old field of the same name, or of the newest of
// the field's old names, or none.
// Records and nested records are matched alike.

/// A field of a new layout, and the source of its value.
final class FieldMatch: Sendable {
    /// The new field.
    let field: LayoutField
    /// The index of the old field; nil if there is none.
    let source: Int?
    /// The conversion of the old value.
    let conversion: ValueConversion
    /// The default for records without the field, and for nil if the new field cannot be nil.
    let defaultValue: DefaultValue?
    private let makeDefault: (@Sendable () throws(CodingError) -> FieldValue)?

    /// Returns a match for each new field.
    ///
    /// - Parameters:
    ///   - old: The old components and fields.
    ///   - new: The new fields.
    ///   - keptCount: The number of old components that remain, perhaps renamed. A new field of their name is another
    ///     field, unless it is declared as renamed.
    /// - Throws: ``ConversionError`` at the first field without a value in old records.
    static func all(
        from old: [LayoutField], to new: [LayoutField], keptCount: Int = 0
    ) throws(ConversionError) -> [FieldMatch] {
        try new.map { (field) throws(ConversionError) in
            let byName = old.dropFirst(keptCount).firstIndex { $0.name == field.name }
            let byOldName = field.rule.oldNames.reversed().lazy.compactMap { name in
                old.firstIndex { $0.name == name }
            }
            return try FieldMatch(field, byName ?? byOldName.first, of: old)
        }
    }

    /// Returns a match for each component of an unchanged key: the old component in the same place.
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

    /// Returns the conversion of a field, and its default if the default replaces nil.
    private static func conversion(
        from old: LayoutField, to new: LayoutField
    ) throws(ConversionError) -> (ValueConversion, DefaultValue?) {
        if let rule = new.rule.references,
            let references = ReferenceConversion(from: old.type, to: new.type, rule)
        {
            return (references.conversion, nil)
        }
        do throws(ValueConversion.Mismatch) {
            // Nil stays nil if the new field can be nil.
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

    /// Returns the new value.
    ///
    /// - Parameters:
    ///   - old: The old value; nil if there is none.
    ///   - enclosing: The conversions of the records and enums that contain it, the outermost first.
    func value(
        of old: FieldValue?, in enclosing: [ValueConversion] = []
    ) throws(CodingError) -> FieldValue {
        if let old, !takesDefault(for: old) { return try conversion.convert(old, enclosing) }
        return try madeValue()
    }

    private func takesDefault(for old: FieldValue) -> Bool { makeDefault != nil && old == .null }

    private func madeValue() throws(CodingError) -> FieldValue { try makeDefault?() ?? .null }

    /// Returns the new value of a field of a nested record. An error contains the name of the field.
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
