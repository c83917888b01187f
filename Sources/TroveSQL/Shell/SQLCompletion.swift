// The completion of words in statements of SQL.

import TroveTerminal

/// The words that can complete a statement: those of SQL, the tables and their columns.
package struct SQLCompletion: Sendable {
    /// A table and its columns.
    package struct Table: Sendable {
        let name: String
        let columns: [String]

        /// Describes a table.
        package init(name: String, columns: [String]) {
            self.name = name
            self.columns = columns
        }
    }

    private let tables: [Table]

    /// Creates the completion of statements on tables.
    package init(_ tables: [Table]) { self.tables = tables }

    /// The names of tables for the argument of a command, without quotes.
    package func tableNames(startingWith word: String) -> [String] {
        tables.map(\.name).filter { $0.hasPrefix(ignoringCase: word) }
    }

    /// Returns the completion at a position in a line.
    ///
    /// - Parameters:
    ///   - text: The line.
    ///   - cursor: The number of characters before the cursor.
    ///   - before: The lines before of the same statement.
    package func completion(of text: String, cursor: Int, after before: String = "") -> LineCompletion {
        let characters = Array(text)
        var start = cursor
        while start > 0, Self.isOfWord(characters[start - 1]) { start -= 1 }
        let word = String(characters[start..<cursor])
        let head = before + "\n" + String(characters[..<start])
        guard !Self.endsInText(head) else { return LineCompletion(start: start, candidates: []) }
        let isQuoted = start > 0 && characters[start - 1] == "\""
        if isQuoted { start -= 1 }
        let mentioned = mentionedTables(in: before + "\n" + text)
        var names: [String]
        let isOfTable = Self.needsTable(after: head)
        if start > 0, characters[start - 1] == "." {
            let qualifier = Self.lastName(of: String(characters[..<(start - 1)]))
            let table = tables.first { $0.name.isEqual(ignoringCase: qualifier) }
            names = (table.map { [$0] } ?? mentioned).flatMap(\.columns)
        } else if isOfTable {
            names = tables.map(\.name)
        } else {
            let columns = mentioned.isEmpty && !word.isEmpty ? tables : mentioned
            names = tables.map(\.name) + columns.flatMap(\.columns)
        }
        names = Set(names.filter { $0.hasPrefix(ignoringCase: word) }).sorted()
        var candidates = names.map { isQuoted ? $0.quotedForSQL : $0.asSQLName }
        if !isQuoted, !isOfTable, !word.isEmpty, start == 0 || characters[start - 1] != "." {
            let isSmall = word == word.lowercased()
            let words = SQL.words.filter { $0.hasPrefix(ignoringCase: word) }.sorted()
            candidates += words.map { isSmall ? $0.lowercased() : $0 }.filter { !candidates.contains($0) }
        }
        return LineCompletion(start: start, candidates: candidates)
    }

    /// Returns the tables whose names are words of a statement.
    private func mentionedTables(in text: String) -> [Table] {
        let words = Set(
            text.split { !Self.isOfWord($0) && $0 != "." }.flatMap { word in
                [word.asciiLowercased] + word.split(separator: ".").map(\.asciiLowercased)
            })
        return tables.filter { words.contains($0.name.asciiLowercased) }
    }

    private static func isOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    /// Returns whether only the name of a table can follow a text.
    private static func needsTable(after text: String) -> Bool {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard text.last?.isWhitespace == true, let last = words.last else { return false }
        return ["from", "join", "into", "update"].contains(last.asciiLowercased)
    }

    /// Returns the name at the end of a text, without its quotes.
    private static func lastName(of text: String) -> String {
        if text.last == "\"" {
            return text.dropLast().split(separator: "\"", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        }
        return String(text.reversed().prefix(while: isOfWord).reversed())
    }

    /// Returns whether a text ends inside of single quotes.
    private static func endsInText(_ text: String) -> Bool {
        var quote: Character?
        for character in text where character == "'" || character == "\"" {
            if quote == nil {
                quote = character
            } else if quote == character {
                quote = nil
            }
        }
        return quote == "'"
    }
}

extension StringProtocol {
    fileprivate var asciiLowercased: String { String(self).asciiLowercased }

    fileprivate func hasPrefix(ignoringCase prefix: String) -> Bool {
        asciiLowercased.hasPrefix(prefix.asciiLowercased)
    }

    fileprivate func isEqual(ignoringCase other: String) -> Bool { asciiLowercased == other.asciiLowercased }
}
