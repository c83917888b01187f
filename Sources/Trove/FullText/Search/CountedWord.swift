// A word of a query with the number of its records, for plans.

/// A word of a query, and the form in which it was found.
struct CountedWord: Hashable, Sendable {
    /// A word of the index, and the number of records with it.
    struct Found: Hashable, Sendable {
        var word: [UInt8]
        var edits: Int
        var count: UInt64
    }

    /// The maximum number of found words to name.
    private static let namedWordLimit = 10

    var word: ScoredWords.Word
    /// The words within some edits, by edits and count, as many as are named.
    private(set) var found: [Found] = []
    private var foundCount = 0

    init(word: ScoredWords.Word, found: [Found] = []) {
        self.word = word
        foundCount = found.count
        let ordered = found.sorted { first, second in
            if first.edits != second.edits { return first.edits < second.edits }
            if first.count != second.count { return first.count > second.count }
            return first.word.lexicographicallyPrecedes(second.word)
        }
        self.found = Array(ordered.prefix(Self.namedWordLimit))
    }

    /// Returns the word in a plan, such as `databse~ 102 records (database 90, databases 12)`.
    ///
    /// - Parameter unit: Follows the number of records.
    func text(unit: String) -> String {
        let text = "\(word) \(word.count)\(unit)"
        if found.isEmpty { return text }
        var names = found.map { "\(String(decoding: $0.word, as: UTF8.self)) \($0.count)" }
        if foundCount > found.count { names.append("and \(foundCount - found.count) more") }
        return "\(text) (\(names.joined(separator: ", ")))"
    }
}
