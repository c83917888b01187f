// The search in a history: the latest line that has some typed characters (Ctrl-R).

/// A search in the lines of a history.
struct HistorySearch: Hashable, Sendable {
    /// A line that has the typed characters.
    struct Match: Hashable {
        /// The ordinal of the line.
        var line: Int
        /// The number of characters before the match.
        var offset: Int
    }

    /// The typed characters.
    var query: [Character] = []
    /// Whether no line has them. The line that was found before stays.
    var hasFailed = false
    /// The line before the search, by its ordinal and the number of characters before the cursor.
    let line: Int
    let cursor: Int

    /// Begins a search.
    init(line: Int, cursor: Int) {
        self.line = line
        self.cursor = cursor
    }

    /// The text before the line.
    var prompt: String { "\(hasFailed ? "not found" : "search") “\(String(query))”: " }

    /// Returns the latest line that has the characters, in either letter case; nil if there is none.
    ///
    /// - Parameters:
    ///   - lines: The lines, the latest last.
    ///   - last: The ordinal of the last line to look at.
    func match(in lines: [String], upTo last: Int) -> Match? {
        guard !query.isEmpty else { return nil }
        let wanted = query.map { $0.lowercased() }
        for line in stride(from: min(last, lines.count - 1), through: 0, by: -1) {
            let characters = lines[line].map { $0.lowercased() }
            guard characters.count >= wanted.count else { continue }
            for offset in 0...(characters.count - wanted.count)
            where characters[offset...].starts(with: wanted) {
                return Match(line: line, offset: offset)
            }
        }
        return nil
    }
}
