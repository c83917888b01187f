// A row of any columns.

import CSQLite

/// A row of a statement: values by column.
///
/// ```swift
/// for row in try store.sql("SELECT * FROM User") { print(row["name"] ?? .null, row.json) }
/// ```
public struct SQLRow: Sendable {
    private let names: ColumnNames
    /// The values, in the order of the columns.
    public let values: [SQLValue]

    init(_ row: borrowing StatementRow) {
        names = row.columns
        values = row.values
    }

    /// The names of the columns.
    public var columns: [String] { names.names }

    /// The value of a column by its position, which begins with 0.
    ///
    /// - Precondition: The row has the column.
    public subscript(_ position: Int) -> SQLValue { values[position] }

    /// The value of the first column with a name, in any case of ASCII letters; nil if there is none.
    public subscript(_ name: String) -> SQLValue? { names.ordinal(of: name).map { values[$0] } }

    /// Returns the value of a column as a Swift value.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - type: The type of the value.
    /// - Throws: ``SQLError`` if there is no such column, or if its value is not one of the type.
    public func value<Value: SQLColumn>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        guard let value = self[name] else {
            throw SQLError(
                code: SQLITE_RANGE,
                message: "There is no column \(name); there are \(columns.joined(separator: ", ")).")
        }
        guard let result = Value(sqlValue: value) else {
            throw SQLError(code: SQLITE_MISMATCH, message: "The column \(name) has \(value), which is not a \(type).")
        }
        return result
    }

    /// The row as a JSON object on a single line. A blob is hexadecimal digits.
    public var json: String {
        "{" + zip(columns, values).map { "\($0.quotedAsJSON):\($1.json)" }.joined(separator: ",") + "}"
    }
}

extension SQLRow: Hashable {
    /// Returns whether two rows have the same names and values.
    public static func == (left: SQLRow, right: SQLRow) -> Bool {
        left.values == right.values && left.columns == right.columns
    }

    /// Hashes the values.
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
