// The picture of an edited line: as much of it as fits beside the cursor.

/// The picture of an edited line on a row of a terminal.
package struct LineView: Hashable, Sendable {
    /// The visible part of the text.
    package let visible: String
    /// The column of the cursor after the prompt.
    package let cursorColumn: Int

    /// Lays out a line.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - cursor: The number of characters before the cursor.
    ///   - columns: The number of columns after the prompt.
    package init(_ text: String, cursor: Int, columns: Int) {
        // The cursor needs a column after the text.
        let limit = max(1, columns - 1)
        let characters = Array(text)
        var start = 0
        var width = characters[..<cursor].reduce(0) { $0 + $1.terminalWidth }
        while width > limit, start < cursor {
            width -= characters[start].terminalWidth
            start += 1
        }
        cursorColumn = width
        var end = cursor
        while end < characters.count, width + characters[end].terminalWidth <= limit {
            width += characters[end].terminalWidth
            end += 1
        }
        visible = String(characters[start..<end])
    }
}
