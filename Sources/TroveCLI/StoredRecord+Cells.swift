// Records as rows of a table.

#if CommandLine
import LMDB
import Trove
import TroveTerminal

extension StoredRecord {
    /// The values by name, as the cells of a table.
    var cells: [TextTable.Cell] {
        fields.fields.map { field in
            TextTable.Cell(
                column: FileFinding.printable(field.name), text: FileFinding.printable(field.cellText),
                isNumber: field.value.isNumber)
        }
    }
}

extension StoredFields.Field {
    /// The value as JSON. A JSON string has no quotes.
    fileprivate var cellText: String {
        if case .string(let text) = value { return text }
        let json = json
        return json.hasPrefix("\"") ? String(json.dropFirst().dropLast()) : json
    }
}

extension FieldValue {
    /// Whether the value fits a column of numbers, as nil does.
    fileprivate var isNumber: Bool {
        switch self {
        case .null, .integer, .unsigned, .float, .double, .decimal: true
        case .some(let value): value.isNumber
        default: false
        }
    }
}
#endif
