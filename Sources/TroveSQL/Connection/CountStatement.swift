// The statement that counts all records of a type.

/// The statement `SELECT count(*) FROM T`, which the statistics of the stored tree answer.
///
/// SQLite would count row by row. No other statement is recognized.
package struct CountStatement {
    /// The name of the table, without quotes.
    package let table: String
    /// A statement with the same column, whose value is an argument.
    package let replacement: String

    /// Recognizes the statement; nil for any other text.
    package init?(_ text: String) {
        var rest = text.utf8[...]
        rest.dropSpaces()
        guard rest.drop(word: "select"), rest.dropSpaces() else { return nil }
        let start = rest.startIndex
        guard rest.drop(word: "count") else { return nil }
        for part in "(*)".utf8 {
            rest.dropSpaces()
            guard rest.first == part else { return nil }
            rest.removeFirst()
        }
        let expression = text[start..<rest.startIndex]
        guard rest.dropSpaces(), rest.drop(word: "from"), rest.dropSpaces(), let table = rest.dropName() else {
            return nil
        }
        rest.dropSpaces()
        if rest.first == UInt8(ascii: ";") { rest.removeFirst() }
        rest.dropSpaces()
        guard rest.isEmpty else { return nil }
        self.table = table
        replacement = "SELECT ? AS " + String(expression).quotedForSQL
    }
}

extension Substring.UTF8View {
    /// Drops white space. Returns whether there was any.
    @discardableResult
    fileprivate mutating func dropSpaces() -> Bool {
        let start = startIndex
        self = drop { $0 == 0x20 || (0x09...0x0D).contains($0) && $0 != 0x0B }
        return startIndex != start
    }

    /// Drops a word in any case of letters. Returns whether the text began with it.
    fileprivate mutating func drop(word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        let end = index(startIndex, offsetBy: count, limitedBy: endIndex)
        guard let end, String(Substring(self[..<end])).asciiLowercased == "\(word)" else { return false }
        self = self[end...]
        return true
    }

    /// Drops a name, with or without double quotes, and returns it; nil if there is no name.
    fileprivate mutating func dropName() -> String? {
        guard first == UInt8(ascii: "\"") else {
            let name = prefix { byte in
                byte >= 0x80 || byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            }
            self = self[name.endIndex...]
            guard let start = name.first, start > UInt8(ascii: "9") else { return nil }
            return String(Substring(name))
        }
        removeFirst()
        // A doubled quote within a name is left to SQLite.
        guard let end = firstIndex(of: UInt8(ascii: "\"")), end != startIndex else { return nil }
        let name = String(Substring(self[..<end]))
        self = self[index(after: end)...]
        return first == UInt8(ascii: "\"") ? nil : name
    }
}
