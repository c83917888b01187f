// The properties of a flat type as the columns of a CSV.

import TroveCoding

extension RecordLayout {
    /// Returns all properties, in their stored order.
    ///
    /// - Throws: ``CSVError/nested(type:property:layout:)``.
    func csvColumns(of type: String) throws(CSVError) -> [LayoutField] {
        for field in key + fields where !field.type.isFlat {
            throw .nested(type: type, property: field.name, layout: "\(field.type)")
        }
        return key + fields
    }

    /// The first property without a column, unless it may be nil; nil if there is none.
    func missingColumn(in columns: [String]) -> LayoutField? {
        (key + fields).first { !columns.contains($0.name) && !$0.type.hasNull }
    }

    /// Reads a record from the fields of a row.
    ///
    /// - Parameters:
    ///   - columns: The names of the fields.
    ///   - line: The number of the row's line, for errors.
    /// - Throws: ``LoadError`` with the property.
    func read(
        _ row: [CSVField], columns: [String], type: String, line: Int
    ) throws(LoadError) -> StoredFields {
        guard row.count == columns.count else {
            throw LoadError(line: line, type: type, .malformedCSV("\(columns.count) fields, not \(row.count)"))
        }
        var list = StoredFields()
        for property in key + fields {
            let field = columns.firstIndex(of: property.name).map { row[$0] } ?? CSVField(text: "", isQuoted: false)
            guard let value = property.type.value(of: field) else {
                throw LoadError(line: line, type: type, .value(field: property.name, expected: "\(property.type)"))
            }
            list.fields.append(StoredFields.Field(property.name, value))
        }
        return list
    }
}

extension LayoutType {
    /// Whether the type is a scalar, or an optional of a scalar.
    fileprivate var isFlat: Bool {
        switch self {
        case .scalar: true
        case .rawValue(let base), .descending(let base): base.isFlat
        case .optional(let wrapped): !wrapped.hasNull && wrapped.isFlat
        default: false
        }
    }

    /// Returns the value of a field; nil if the field is not a value of the type.
    fileprivate func value(of field: CSVField) -> FieldValue? {
        switch self {
        case .scalar(let scalar): scalar.value(of: field.text)
        case .rawValue(let base), .descending(let base): base.value(of: field)
        case .optional(let wrapped):
            field.text.isEmpty && !field.isQuoted ? .null : wrapped.value(of: field)
        default: nil
        }
    }
}
