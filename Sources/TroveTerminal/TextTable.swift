// Rows in columns: measured first and printed then, one row at a time, so that no number of them takes memory.

/// A table whose columns are as wide as their widest text, up to a limit.
package struct TextTable {
    /// A text in a column.
    package struct Cell {
        let column: String
        let text: String
        let isNumber: Bool

        /// Makes a cell.
        ///
        /// - Parameters:
        ///   - column: The name of its column.
        ///   - text: What it shows, without line ends.
        ///   - isNumber: Whether that is a number: a column of nothing else is aligned to the right.
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

    /// Makes a table without columns.
    ///
    /// - Parameter widthLimit: How wide a column can be. Longer texts are cut, and end with “…”.
    package init(widthLimit: Int = 40) { self.widthLimit = widthLimit }

    /// Makes room for a row. Columns stand in the order in which they were met.
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

    /// The names of the columns, and the line below them; nothing where there are no columns.
    package var header: [String] {
        guard !columns.isEmpty else { return [] }
        let names = columns.map { Cell(column: $0.name, text: $0.name, isNumber: false) }
        return [line(names), columns.map { String(repeating: "─", count: $0.width) }.joined(separator: Self.space)]
    }

    /// A row that was measured. A column of which it has no cell stays empty.
    package func line(_ row: [Cell]) -> String {
        var texts = [String](repeating: "", count: columns.count)
        for cell in row {
            if let index = indices[cell.column] { texts[index] = cell.text }
        }
        var line = ""
        for (column, text) in zip(columns, texts) {
            let text = text.cut(to: column.width)
            let padding = String(repeating: " ", count: column.width - text.terminalWidth)
            line += column.isOfNumbers ? padding + text : text + padding
            line += Self.space
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}

extension String {
    /// How many columns of a terminal the text takes.
    fileprivate var terminalWidth: Int { reduce(0) { $0 + $1.terminalWidth } }

    /// The text, or the beginning of it with “…” where it is wider.
    fileprivate func cut(to width: Int) -> String {
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
    /// Two columns for pictures and East Asian characters, one for all others.
    fileprivate var terminalWidth: Int {
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
