// A type of the store as statements that create a table of SQLite's own with the same rows.

import CSQLite
import Trove
import TroveCoding

/// The definition of a table of SQLite with the columns, the key and the indexes of a type.
struct TableDefinition {
    /// A column: its definition, and the type of its property in words.
    struct Column {
        let name: String
        let definition: String
        let comment: String
    }

    let name: String
    let columns: [Column]
    /// The clause of a key that is no clause of its column; nil if there is none.
    let key: String?
    /// The statements that create the indexes.
    let indexes: [String]

    /// Returns the definitions of tables. The names of indexes differ from those of the tables.
    static func all(of tables: [SQLTable]) -> [TableDefinition] {
        var names = Set(tables.map { $0.name.asciiLowercased })
        return tables.map { TableDefinition($0, &names) }
    }

    private init(_ table: SQLTable, _ names: inout Set<String>) {
        name = table.name
        let keys = table.columns.filter(\.isKey)
        // A null in such a key would become a number.
        let isRowID = keys.count == 1 && keys[0].isNeverNull && keys[0].step.kind.declaredType == "INTEGER"
        columns = table.columns.map { column in
            var parts = [column.name.asSQLName, column.step.kind.exportedType]
            // A single key that is declared as INTEGER would be the number of the row, in any form of the clause.
            if column.isKey, keys.count == 1, !isRowID, parts[1] == "INTEGER" { parts[1] = "INT" }
            if isRowID && column.isKey {
                parts.append("PRIMARY KEY")
            } else if column.isNeverNull && table.stored.versions.count <= 1 {
                parts.append("NOT NULL")
            }
            return Column(
                name: column.name, definition: parts.filter { !$0.isEmpty }.joined(separator: " "),
                comment: "\(column.type)")
        }
        let order = keys.map { $0.name.asSQLName + ($0.step.mask == 0 ? "" : " DESC") }
        key = isRowID || order.isEmpty ? nil : "PRIMARY KEY (\(order.joined(separator: ", ")))"
        indexes = table.stored.indexes.compactMap { index in
            var parts: [String] = []
            for part in index.columns {
                guard part.isKey, let column = table.columns.first(where: { $0.property == part.property }) else {
                    return nil
                }
                parts.append(column.name.asSQLName + (part.isDescending ? " DESC" : ""))
            }
            let name = names.insertUnused(([table.name] + index.columns.map(\.property)).joined(separator: "_"))
            return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(name.asSQLName) ON \(table.name.asSQLName) "
                + "(\(parts.joined(separator: ", ")))"
        }
    }

    /// The statement that creates the table.
    var table: String {
        let parts = columns.map(\.definition) + [key].compactMap(\.self)
        return "CREATE TABLE \(name.asSQLName) (\(parts.joined(separator: ", ")))"
    }

    /// The statement that creates the table, with a line and a comment for each column, and those of the indexes.
    var text: String {
        var lines = ["CREATE TABLE \(name.asSQLName) ("]
        for (ordinal, column) in columns.enumerated() {
            let isLast = ordinal == columns.count - 1 && key == nil
            lines.append("  \(column.definition)\(isLast ? "" : ",")  -- \(column.comment)")
        }
        if let key { lines.append("  \(key)") }
        return (lines + [");"] + indexes.map { $0 + ";" }).joined(separator: "\n")
    }

    /// The statement that reads all rows.
    var selection: String {
        "SELECT \(columns.map(\.name.quotedForSQL).joined(separator: ", ")) FROM \(name.quotedForSQL)"
    }

    /// The statement that adds a row.
    var insertion: String {
        "INSERT INTO \(name.quotedForSQL) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    }
}

extension ValueKind {
    /// The declared type of a column in a table of SQLite's own, which converts values to the type.
    fileprivate var exportedType: String {
        // Of a number with many digits, only those of a real would remain.
        self == .decimal ? "" : declaredType
    }
}

extension String {
    /// The text as a name of SQL, in quotes where they are needed.
    var asSQLName: String {
        let isPlain =
            utf8.first.map { !(0x30...0x39).contains($0) } == true
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        guard isPlain else { return quotedForSQL }
        let isWordOfSQL = unsafe sqlite3_keyword_check(self, Int32(clamping: utf8.count)) != 0
        return isWordOfSQL ? quotedForSQL : self
    }
}
