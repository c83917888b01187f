// A text table in two passes: all entries are measured first, then printed one at a time, so that memory does not
// depend on the number of rows.

/// A table whose columns are as wide as their widest text, up to a limit.
package struct TextTable {
    /// A text in a column.
    package struct Cell {
        let column: String
        let text: String
        let isNumber: Bool

        /// Creates a cell.
        ///
        /// - Parameters:
        ///   - column: The name of its column.
        ///   - text: The text, without line ends.
        ///   - isNumber: Whether the text is a number. A column in which every cell is a number is aligned to the
        ///     right.
        package init(column: String, text: String, isNumber: Bool) {
            self.column = column
            self.text = text
            self.isNumber = isNumber
        }
    }

    private struct Column {
        let name: String
        var width: Int
        var isOfNumbers = true
    }

    private static let space = "  "

    private let widthLimit: Int
    private var columns: [Column] = []
    private var indices: [String: Int] = [:]

    /// Creates a table without columns.
    ///
    /// - Parameter widthLimit: The maximum width of a column. Longer texts are cut, and end with “…”.
    package init(widthLimit: Int = 40) { self.widthLimit = widthLimit }

    /// Measures a row. Columns have the order of their first cells.
    package mutating func measure(_ row: [Cell]) {
        for cell in row {
            let index = indices[cell.column] ?? columns.count
            if index == columns.count {
                indices[cell.column] = index
                columns.append(Column(name: cell.column, width: min(cell.column.terminalWidth, widthLimit)))
            }
            columns[index].width = max(columns[index].width, min(cell.text.terminalWidth, widthLimit))
            if !cell.isNumber { columns[index].isOfNumbers = false }
        }
    }

    /// The names of the columns and the line below them; empty if there are no columns.
    package var header: [String] {
        guard !columns.isEmpty else { return [] }
        let names = columns.map { Cell(column: $0.name, text: $0.name, isNumber: false) }
        return [line(names), columns.map { String(repeating: "─", count: $0.width) }.joined(separator: Self.space)]
    }

    /// Returns the line of a measured row. A column without a cell stays empty.
    package func line(_ row: [Cell]) -> String {
        var texts = [String](repeating: "", count: columns.count)
        for cell in row {
            if let index = indices[cell.column] { texts[index] = cell.text }
        }
        var line = ""
        for (column, text) in zip(columns, texts) {
            let text = text.cut(to: column.width)
            // A row that was not measured can be wider.
            let padding = String(repeating: " ", count: max(0, column.width - text.terminalWidth))
            line += column.isOfNumbers ? padding + text : text + padding
            line += Self.space
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}

extension String {
    /// The width of the text in terminal columns.
    package var terminalWidth: Int { reduce(0) { $0 + $1.terminalWidth } }

    /// Returns the text; a wider text is cut and ends with “…”.
    package func cut(to width: Int) -> String {
        guard terminalWidth > width else { return self }
        var (text, taken) = ("", 0)
        for character in self {
            taken += character.terminalWidth
            if taken >= width { break }
            text.append(character)
        }
        return text + "…"
    }
}

extension Character {
    /// The width in columns: 2 for emoji and East Asian characters, otherwise 1.
    var terminalWidth: Int {
        unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
                0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
                true
            default: scalar.properties.isEmojiPresentation
            }
        } ? 2 : 1
    }
}
