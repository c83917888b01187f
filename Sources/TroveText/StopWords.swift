// Words that an analyzer leaves out.

/// Very common words of a language, which say little about a text. They are not indexed, and ignored in queries.
///
/// ```swift
/// let analyzer = TextAnalyzer.standard.without(.english).without(["trove", "store"])
/// ```
public struct StopWords: Sendable, ExpressibleByArrayLiteral {
    /// The names of the lists, and the words of the application.
    let names: [String]
    let own: Set<String>
    let words: Set<String>

    /// Creates a list of words. The analyzer folds them: case does not matter, and a word that it splits counts as its
    /// parts.
    public init(_ words: some Sequence<String>) {
        names = []
        own = Set(words)
        self.words = own
    }

    /// Creates a list of words.
    public init(arrayLiteral words: String...) { self.init(words) }

    /// Creates a built-in list of the words of a text.
    init(_ name: String, _ words: String) {
        names = [name]
        own = []
        self.words = Set(words.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    private init(names: [String], own: Set<String>, words: Set<String>) {
        self.names = names
        self.own = own
        self.words = words
    }

    /// Whether there are no words.
    var isEmpty: Bool { words.isEmpty }

    /// Returns the words of both lists.
    func union(_ other: StopWords) -> StopWords {
        StopWords(
            names: Set(names + other.names).sorted(), own: own.union(other.own), words: words.union(other.words))
    }
}
