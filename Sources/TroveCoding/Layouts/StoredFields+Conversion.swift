// Named values as a record of an older layout, for conversion by the same rules.

extension StoredFields {
    /// Returns the layout and the bytes of the fields that a new layout has, by their names or old names.
    ///
    /// A value that was read has the layout of its record. A value set by hand has the widest layout of its kind, so
    /// that it converts if possible. An array, a dictionary, a record or an enum set by hand has the new layout.
    ///
    /// - Throws: ``ConversionError`` with the field whose value is not of its layout.
    package func described(for new: RecordLayout) throws(ConversionError) -> (layout: RecordLayout, bytes: [UInt8]) {
        var layout = RecordLayout(key: [], fields: [])
        var bytes: [UInt8] = []
        let takers = new.key + new.fields
        for field in fields {
            let taker = takers.first { $0.name == field.name } ?? takers.first { $0.rule.oldNames.contains(field.name) }
            guard let taker else { continue }
            let type = field.type ?? field.value.layout(for: taker.type)
            do throws(CodingError) {
                try field.value.write(as: type, into: &bytes)
            } catch {
                throw ConversionError(field: field.name, reason: .value(error))
            }
            layout.fields.append(LayoutField(field.name, type))
        }
        return (layout, bytes)
    }
}

extension FieldValue {
    /// Returns the layout of a value set by hand.
    ///
    /// - Parameter new: The layout of the new field.
    fileprivate func layout(for new: LayoutType) -> LayoutType {
        switch self {
        case .null: new.isOptional ? new : .optional(new)
        default: scalar.map { .scalar($0) } ?? new
        }
    }
}
