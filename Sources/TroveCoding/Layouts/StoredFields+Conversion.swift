// Named values as a record of an older layout, so that the rules convert them like one.

extension StoredFields {
    /// The layout of the fields that a new layout asks for, under their names or old names, and their bytes.
    ///
    /// A value is of the layout with which it was read. One that was given by hand is of the widest layout of its kind,
    /// so that it converts where it can; an array, a dictionary, a record or an enum is of the new layout.
    ///
    /// - Throws: ``ConversionError`` with the field whose value is not of its layout.
    package func described(for new: RecordLayout) throws(ConversionError) -> (layout: RecordLayout, bytes: [UInt8]) {
        var layout = RecordLayout(key: [], fields: [])
        var bytes: [UInt8] = []
        let takers = new.key + new.fields
        for field in fields {
            let taker = takers.first { $0.name == field.name } ?? takers.first { $0.rule.oldName == field.name }
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
    /// The layout of a value that was given by hand.
    ///
    /// - Parameter new: The layout of the field that takes it.
    fileprivate func layout(for new: LayoutType) -> LayoutType {
        switch self {
        case .null: new.isOptional ? new : .optional(new)
        default: scalar.map { .scalar($0) } ?? new
        }
    }
}
