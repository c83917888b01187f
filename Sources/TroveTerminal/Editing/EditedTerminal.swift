// A terminal whose lines are edited here: raw input, and redrawn lines.

import Foundation

/// The terminal of this process, whose lines are edited.
package final class EditedTerminal {
    /// The end of a line.
    package enum Line: Hashable {
        case accepted(String)
        /// The line is given up.
        case interrupted
        /// The input is over.
        case ended
    }

    private var editor: LineEditor
    private var parser = KeyParser()
    /// Bytes that are not parsed yet: the user types ahead.
    private var bytes: ArraySlice<UInt8> = []
    private let screen: FileHandle
    private let screenNumber: Int32
    private let complete: (_ text: String, _ cursor: Int) -> LineCompletion

    /// Whether lines can be edited: standard input is a terminal that moves its cursor, and there is a screen.
    package static func isAvailable(_ environment: [String: String]) -> Bool {
        let kind = environment["TERM", default: ""]
        return isatty(STDIN_FILENO) == 1 && (isatty(STDOUT_FILENO) == 1 || isatty(STDERR_FILENO) == 1)
            && !kind.isEmpty && kind != "dumb"
    }

    /// - Parameter complete: Returns the completion at a place of a line.
    package init(history: LineHistory, complete: @escaping (_ text: String, _ cursor: Int) -> LineCompletion) {
        editor = LineEditor(history: history)
        self.complete = complete
        // The output may go into a file.
        let isOutput = isatty(STDOUT_FILENO) == 1
        screen = isOutput ? .standardOutput : .standardError
        screenNumber = isOutput ? STDOUT_FILENO : STDERR_FILENO
    }

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - prompt: The text before the line, with its style.
    ///   - width: The width of the prompt.
    package func line(_ prompt: String, width: Int) throws -> Line {
        editor.begin()
        let before = RawMode()
        // A pasted text is marked.
        try write("\u{1B}[?2004h")
        defer {
            before?.restore()
        }
        try draw(prompt, width)
        while let byte = try next() {
            guard let key = parser.key(byte) else { continue }
            let text = editor.text
            switch editor.press(key) {
            case .edited: break
            case .accepted(let line):
                try draw(prompt, width, LineView(text, cursor: text.count, columns: columns - width))
                try write("\u{1B}[?2004l\r\n")
                return .accepted(line)
            case .interrupted:
                try write("^C\u{1B}[?2004l\r\n")
                return .interrupted
            case .ended:
                try write("\u{1B}[?2004l\r\n")
                return .ended
            case .completes: try show(editor.complete(complete(editor.text, editor.cursor)))
            case .clears: try write("\u{1B}[H\u{1B}[2J")
            case .suspends:
                try write("\u{1B}[?2004l")
                before?.restore()
                raise(SIGTSTP)
                _ = RawMode()
                try write("\u{1B}[?2004h")
            }
            // A paste is drawn once.
            if bytes.isEmpty { try draw(prompt, width) }
        }
        try write("\u{1B}[?2004l\r\n")
        return .ended
    }

    private func next() throws -> UInt8? {
        if bytes.isEmpty {
            var buffer = [UInt8](repeating: 0, count: 4096)
            var count: Int
            repeat {
                count = unsafe buffer.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
            } while count < 0 && errno == EINTR
            guard count > 0 else { return nil }
            bytes = buffer[..<count]
        }
        return bytes.popFirst()
    }

    // MARK: Drawing

    private var columns: Int {
        TerminalSize(of: screenNumber)?.columns ?? 80
    }

    private func draw(_ prompt: String, _ width: Int, _ view: LineView? = nil) throws {
        let search = editor.searchPrompt
        let prompt = search ?? prompt
        let width = search.map { $0.reduce(0) { $0 + $1.terminalWidth } } ?? width
        let view = view ?? LineView(editor.text, cursor: editor.cursor, columns: columns - width)
        let column = width + view.cursorColumn
        try write("\r\(prompt)\(view.visible)\u{1B}[K\r" + (column == 0 ? "" : "\u{1B}[\(column)C"))
    }

    /// Shows candidates below the line.
    private func show(_ candidates: [String]) throws {
        guard !candidates.isEmpty else { return }
        let width = (candidates.map { $0.reduce(0) { $0 + $1.terminalWidth } }.max() ?? 0) + 2
        let perRow = max(1, columns / width)
        var text = "\r\n"
        for (index, candidate) in candidates.enumerated() {
            let isLast = index == candidates.count - 1 || index % perRow == perRow - 1
            let padding = width - candidate.reduce(0) { $0 + $1.terminalWidth }
            text += candidate + (isLast ? "\r\n" : String(repeating: " ", count: padding))
        }
        try write(text)
    }

    private func write(_ text: String) throws { try screen.write(contentsOf: Data(text.utf8)) }
}
