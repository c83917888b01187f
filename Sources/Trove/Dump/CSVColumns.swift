// The properties of a flat type as the columns of a CSV.

import TroveCoding

/// An error of a type or a record that has no row in a CSV.
public enum CSVError: Error, Hashable, Sendable {
    /// The property has parts, or its layout is known only to its own code.
    case nested(type: String, property: String, layout: String)
    /// A record has an older layout, and so other columns.
    case olderLayout(type: String, version: UInt32)
}

extension CSVError: CustomStringConvertible {
    /// The error in words: what is wrong, and what to do.
    public var description: String {
        switch self {
        case .nested(let type, let property, let layout):
            "\(property) of \(type) has the layout \(layout), which has no place in a field of a CSV. Use JSON."
        case .olderLayout(let type, let version):
            "\(type) has records of the older version \(version), which have other columns. Open the store with its program to migrate them, or use JSON."
        }
    }
}

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
        case .optional(let wrapped): !wrapped.isNullable && wrapped.isFlat
        default: false
        }
    }

    /// Whether nil is a value of the type.
    private var isNullable: Bool {
        switch self {
        case .optional: true
        case .rawValue(let base), .descending(let base): base.isNullable
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
