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

    /// Returns the index of each property among columns; nil for a property without a column.
    func places(in columns: [String]) -> [Int?] { (key + fields).map { columns.firstIndex(of: $0.name) } }

    /// Reads a record from the fields of a row.
    ///
    /// - Parameters:
    ///   - places: The indexes of the properties among the fields.
    ///   - count: The number of columns.
    ///   - line: The number of the row's line, for errors.
    /// - Throws: ``LoadError`` with the property.
    func read(
        _ row: [CSVField], _ places: [Int?], count: Int, type: String, line: Int
    ) throws(LoadError) -> StoredFields {
        guard row.count == count else {
            throw LoadError(line: line, type: type, .malformedCSV("\(count) fields, not \(row.count)"))
        }
        var list = StoredFields()
        for (property, place) in zip(key + fields, places) {
            let field = place.map { row[$0] } ?? CSVField(text: "", isQuoted: false)
            guard let value = property.type.value(of: field) else {
                let found =
                    field.text.isEmpty && !field.isQuoted ? "an empty field" : "“\(JSONError.shortened(field.text))”"
                throw LoadError(
                    line: line, type: type, .value(field: property.name, expected: "\(property.type)", found: found))
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
        // An empty field is nil, and `""` an empty text.
        case .scalar(let scalar): field.text.isEmpty && !field.isQuoted ? nil : scalar.value(of: field.text)
        case .rawValue(let base), .descending(let base): base.value(of: field)
        case .optional(let wrapped):
            field.text.isEmpty && !field.isQuoted ? .null : wrapped.value(of: field)
        default: nil
        }
    }
}
