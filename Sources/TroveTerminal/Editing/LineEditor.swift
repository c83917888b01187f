// The editor of a line: keys in, text and cursor out. It knows no terminal.

/// An editor of a line of text, with a history.
package struct LineEditor: Sendable {
    /// What a key has done, apart from the text and the cursor.
    package enum Action: Hashable, Sendable {
        /// The text or the cursor may have changed.
        case edited
        /// The line is complete.
        case accepted(String)
        /// The line is given up (Ctrl-C).
        case interrupted
        /// The input is over (Ctrl-D in an empty line).
        case ended
        /// The word before the cursor is to be completed.
        case completes
        /// The screen is to be cleared (Ctrl-L).
        case clears
        /// The process is to be stopped (Ctrl-Z).
        case suspends
    }

    private var characters: [Character] = []
    /// The number of characters before the cursor.
    package private(set) var cursor = 0
    /// The lines before.
    package private(set) var history: LineHistory
    /// The text that was removed last, for Ctrl-Y.
    private var removed = ""
    /// The lines between which the arrows move: the history, and the line that is new.
    private var lines: [String] = [""]
    private var place = 0
    /// The search in the history; nil outside of a search.
    private var search: HistorySearch?

    /// Creates an editor of an empty line.
    package init(history: LineHistory = LineHistory()) {
        self.history = history
        begin()
    }

    /// The text of the line.
    package var text: String { String(characters) }

    /// The text that takes the place of the prompt during a search in the history; nil outside of a search.
    package var searchPrompt: String? { search?.prompt }

    /// Empties the line.
    package mutating func begin() {
        (characters, cursor) = ([], 0)
        search = nil
        lines = history.lines + [""]
        place = lines.count - 1
    }

    // MARK: Keys

    /// Takes a key.
    package mutating func press(_ key: Key) -> Action {
        if key == .control("r") || search != nil, let action = searchFor(key) { return action }
        switch key {
        case .text(let text): insert(text)
        case .enter: return accept()
        case .tab: return .completes
        case .control("c"): return .interrupted
        case .control("d"):
            if characters.isEmpty { return .ended }
            remove(cursor..<min(cursor + 1, characters.count))
        case .control("l"): return .clears
        case .control("z"): return .suspends
        case .backspace: remove(max(0, cursor - 1)..<cursor)
        case .delete: remove(cursor..<min(cursor + 1, characters.count))
        case .left, .control("b"): cursor = max(0, cursor - 1)
        case .right, .control("f"): cursor = min(cursor + 1, characters.count)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .up, .control("p"): move(to: place - 1)
        case .down, .control("n"): move(to: place + 1)
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .control("k"): cut(cursor..<characters.count)
        case .control("u"): cut(0..<cursor)
        case .control("w"): cut(spaceStart..<cursor)
        case .deleteWordLeft: cut(wordStart..<cursor)
        case .deleteWordRight: cut(cursor..<wordEnd)
        case .control("y"): insert(removed)
        case .control, .other: break
        }
        return .edited
    }

    private mutating func accept() -> Action {
        let line = text
        history.add(line)
        begin()
        return .accepted(line)
    }

    /// Inserts a text. A combining character joins the one before.
    private mutating func insert(_ text: String) {
        let head = String(characters[..<cursor]) + text
        let tail = characters[cursor...]
        characters = Array(head)
        cursor = characters.count
        characters = Array(head + String(tail))
        cursor = min(cursor, characters.count)
    }

    private mutating func remove(_ range: Range<Int>) {
        characters.removeSubrange(range)
        cursor = range.lowerBound
        // What is left may join.
        characters = Array(String(characters))
        cursor = min(cursor, characters.count)
    }

    private mutating func cut(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        removed = String(characters[range])
        remove(range)
    }

    /// Shows another line of the history. Changes of the line are kept until a line is accepted.
    private mutating func move(to target: Int) {
        guard lines.indices.contains(target) else { return }
        lines[place] = text
        place = target
        characters = Array(lines[place])
        cursor = characters.count
    }

    // MARK: Search

    /// Takes a key of a search in the history: a text, Backspace, Ctrl-R for an older line, Ctrl-G for the line before
    /// the search. Returns nil after another key, which ends the search: the found line stays.
    private mutating func searchFor(_ key: Key) -> Action? {
        guard var search else {
            lines[place] = text
            self.search = HistorySearch(line: place, cursor: cursor)
            return .edited
        }
        // The new line is not in the history.
        let latest = lines.count - 2
        switch key {
        case .text(let text):
            search.query += text
            find(&search, upTo: min(place, latest))
        case .backspace:
            _ = search.query.popLast()
            find(&search, upTo: latest)
        case .control("r"):
            var older = place - 1
            while older >= 0, lines[older] == lines[place] { older -= 1 }
            find(&search, upTo: min(older, latest))
        case .control("g"):
            show(search.line, cursor: search.cursor)
            self.search = nil
            return .edited
        default:
            self.search = nil
            return nil
        }
        self.search = search
        return .edited
    }

    private mutating func find(_ search: inout HistorySearch, upTo last: Int) {
        let match = search.match(in: lines, upTo: last)
        search.hasFailed = match == nil && !search.query.isEmpty
        if let match { show(match.line, cursor: match.offset) }
    }

    private mutating func show(_ line: Int, cursor: Int) {
        place = line
        characters = Array(lines[line])
        self.cursor = min(cursor, characters.count)
    }

    // MARK: Words

    private var wordStart: Int {
        var start = cursor
        while start > 0, !Self.isOfWord(characters[start - 1]) { start -= 1 }
        while start > 0, Self.isOfWord(characters[start - 1]) { start -= 1 }
        return start
    }

    private var wordEnd: Int {
        var end = cursor
        while end < characters.count, !Self.isOfWord(characters[end]) { end += 1 }
        while end < characters.count, Self.isOfWord(characters[end]) { end += 1 }
        return end
    }

    /// The start of the text without spaces before the cursor.
    private var spaceStart: Int {
        var start = cursor
        while start > 0, characters[start - 1] == " " { start -= 1 }
        while start > 0, characters[start - 1] != " " { start -= 1 }
        return start
    }

    private static func isOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    // MARK: Completion

    /// Completes the word before the cursor as far as all candidates agree.
    ///
    /// - Returns: The candidates to show: empty if the text has changed.
    package mutating func complete(_ completion: LineCompletion) -> [String] {
        guard completion.start <= cursor, let first = completion.candidates.first else { return [] }
        let word = String(characters[completion.start..<cursor])
        if completion.candidates.count == 1 {
            replace(completion.start, first + completion.ending)
            return []
        }
        var common = Array(first)
        for candidate in completion.candidates.dropFirst() {
            let same = zip(common, candidate).prefix { $0.lowercased() == $1.lowercased() }.count
            common.removeSubrange(same...)
        }
        guard common.count > word.count else { return completion.candidates }
        replace(completion.start, String(common))
        return []
    }

    private mutating func replace(_ start: Int, _ text: String) {
        characters.removeSubrange(start..<cursor)
        cursor = start
        insert(text)
    }
}

/// The candidates for the word before the cursor.
package struct LineCompletion: Hashable, Sendable {
    /// The number of characters before the word.
    package var start: Int
    /// The whole words.
    package var candidates: [String]
    /// The text after a word that is the only candidate.
    package var ending: String

    /// Creates a completion.
    package init(start: Int, candidates: [String], ending: String = " ") {
        self.start = start
        self.candidates = candidates
        self.ending = ending
    }
}
