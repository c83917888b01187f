// A small table of the report.

/// A small table; columns whose cells all begin with a number, and have no colon, are aligned to the right.
package struct Table: Equatable {
    package let header: [String]
    package let rows: [[String]]

    package init(_ header: [String], rows: [[String]]) {
        self.header = header
        self.rows = rows
    }

    /// The table as lines of text.
    package var lines: [String] {
        let widths = header.indices.map { column in
            ([header] + rows).map { $0[column].count }.max() ?? 0
        }
        let isNumeric = header.indices.map { column in
            rows.allSatisfy { row in Self.isNumeric(row[column]) }
        }
        func line(_ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - cells[column].count)
                return isNumeric[column] ? padding + cells[column] : cells[column] + padding
            }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
        return [line(header), rule] + rows.map(line)
    }

    private static func isNumeric(_ cell: String) -> Bool {
        guard let first = cell.first else { return true }
        return (first.isNumber || "+-–".contains(first)) && !cell.contains(":")
    }
}
