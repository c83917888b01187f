// The statements of a text that arrives in lines.

import CSQLite

/// A reader of statements, each of which ends with a semicolon.
package struct StatementReader: Sendable {
    /// A statement of a text.
    package struct Statement: Hashable, Sendable {
        /// The text, with its semicolon if it has one.
        package var text: String
        /// The number of the line on which it begins, counted from 1.
        package var line: Int
    }

    private enum State: Hashable {
        case plain
        /// In quotes or brackets, up to the byte at their end.
        case quoted(UInt8)
        case lineComment, blockComment
    }

    private var state = State.plain
    private var pending: [UInt8] = []
    private var last: UInt8 = 0
    private var first: Int?
    private var hasWords = false
    private var number = 0

    /// Creates a reader before the first line.
    package init() {}

    /// Whether no statement has begun.
    package var isIdle: Bool { first == nil }

    /// The number of lines so far.
    package var lineCount: Int { number }

    /// Counts a line that is no part of a statement.
    package mutating func skipLine() { number += 1 }

    /// Drops the statement that has begun.
    package mutating func reset() {
        let lines = number
        self = StatementReader()
        number = lines
    }

    /// Takes a line. Returns the statements that end in it.
    package mutating func add(_ line: String) -> [Statement] {
        number += 1
        var statements: [Statement] = []
        for byte in Array(line.utf8) + [UInt8(ascii: "\n")] {
            guard take(byte) else { continue }
            let text = String(decoding: pending, as: UTF8.self)
            // A trigger has semicolons inside.
            guard SQL.isComplete(text) else { continue }
            if hasWords { statements.append(Statement(text: text, line: first ?? number)) }
            reset()
        }
        return statements
    }

    /// Returns the statement that has begun, which the end of the text ends; nil if there is none.
    package mutating func end() -> Statement? {
        defer { reset() }
        guard hasWords else { return nil }
        return Statement(text: String(decoding: pending, as: UTF8.self), line: first ?? number)
    }

    /// Takes a byte. Returns whether it is a semicolon that may end a statement.
    private mutating func take(_ byte: UInt8) -> Bool {
        let isSpace = [0x20, 0x09, 0x0A, 0x0D, 0x0C].contains(byte)
        if first == nil, isSpace { return false }
        if first == nil { first = number }
        pending.append(byte)
        let before = last
        last = byte
        switch (state, byte) {
        case (.plain, UInt8(ascii: "'")), (.plain, UInt8(ascii: "\"")), (.plain, UInt8(ascii: "`")):
            state = .quoted(byte)
            hasWords = true
        case (.plain, UInt8(ascii: "[")):
            state = .quoted(UInt8(ascii: "]"))
            hasWords = true
        case (.plain, UInt8(ascii: "-")) where before == byte: state = .lineComment
        case (.plain, UInt8(ascii: "*")) where before == UInt8(ascii: "/"):
            state = .blockComment
            last = 0
        case (.plain, UInt8(ascii: ";")): return true
        case (.plain, UInt8(ascii: "-")), (.plain, UInt8(ascii: "/")): break
        case (.plain, _): if !isSpace { hasWords = true }
        case (.quoted(byte), _): state = .plain
        case (.lineComment, UInt8(ascii: "\n")): state = .plain
        case (.blockComment, UInt8(ascii: "/")) where before == UInt8(ascii: "*"):
            state = .plain
            last = 0
        default: break
        }
        return false
    }
}

extension SQL {
    /// Returns whether a text ends with a whole statement and its semicolon.
    package static func isComplete(_ text: String) -> Bool { unsafe sqlite3_complete(text) != 0 }

    /// The words of SQL, in capital letters.
    package static var words: [String] {
        (0..<sqlite3_keyword_count()).compactMap { index in
            var start: UnsafePointer<CChar>?
            var count: Int32 = 0
            guard unsafe sqlite3_keyword_name(index, &start, &count) == SQLITE_OK, let start = unsafe start else {
                return nil
            }
            return unsafe String(
                decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
        }
    }
}
