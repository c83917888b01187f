// A text query: words, phrases and their combinations. A value.

import TroveCoding

/// A query for the words of texts, for the records of a type with a full-text index.
///
/// A string literal is a typed query, in the language of search boxes:
///
/// | typed | finds records with |
/// |---|---|
/// | `swift` | the word |
/// | `"once upon"`, `"once upon"~2` | the phrase; the words in order with at most 2 others in between |
/// | `swift store` | both words |
/// | `swift OR java`, `swift \| java` | either word |
/// | `-java`, `NOT java` | none of it |
/// | `+swift` | the word, where ``WordJoining/any`` makes the others optional |
/// | `( )` | the group |
/// | `title:swift`, `title:(a b)` | the word in a property of the full-text index, by its stored name |
/// | `data*`, `"ordered sto*"` | a word that begins so |
/// | `databse~`, `databse~1`, `databse~2` | the word, or one with a typing error; with at most 1 or 2 of them |
/// | `swift^2` | the word, with twice the score |
///
/// Any text is a query; signs without a meaning are left out. The first 128 words count, and the first 16 different
/// beginnings, words with edits and single signs of scripts without spaces: see ``prefix(_:)``.
public struct TextQuery<Record: IndexKeyRecord>: Sendable {
    let clause: TextClause
    /// The number of typed words that do not count, beyond the first 128.
    let omittedWordCount: Int
    /// The error in the query; thrown when it runs.
    let failure: StoreError?
    /// The typed text of a query that is nothing else.
    private var typed: Typed?

    private struct Typed: Sendable {
        var text: String
        var joining: WordJoining
        var lastIsPrefix: Bool

        func query(forOneOf indexes: [Set<String>]) -> TypedQuery {
            TypedQuery(text, forOneOf: indexes, joining: joining, lastIsPrefix: lastIsPrefix)
        }
    }

    /// The number of queries within each other. Running, comparing and releasing a clause call themselves so often.
    private let depth: Int
    /// The greatest depth of queries that are written in code.
    private static var depthLimit: Int { 100 }

    init(
        _ clause: TextClause, _ omittedWordCount: Int = 0, _ failure: StoreError? = nil, depth: Int = 0
    ) {
        let isTooDeep = depth > Self.depthLimit
        self.clause = isTooDeep ? .nothing : clause
        self.omittedWordCount = omittedWordCount
        self.failure = isTooDeep ? .text(.textTooDeep(type: Record.schema.name, limit: Self.depthLimit)) : failure
        self.depth = isTooDeep ? 0 : depth
    }

    /// Creates a query from typed text.
    ///
    /// - Parameters:
    ///   - typed: Any text, as a user types it.
    ///   - joining: The meaning of words beside each other.
    ///   - lastIsPrefix: Whether the last word also counts as a beginning, unless a space follows: for search as you
    ///     type.
    /// - Complexity: O(*n*) for *n* characters.
    public init(_ typed: String, joining: WordJoining = .all, lastIsPrefix: Bool = false) {
        let typed = Typed(text: typed, joining: joining, lastIsPrefix: lastIsPrefix)
        let query = typed.query(forOneOf: Record.schema.textProperties())
        self.init(query.clause, query.omittedWordCount)
        self.typed = typed
    }

    /// Returns the query for an index. In a typed query, only the names of its properties count before a colon.
    ///
    /// - Parameter index: The name of the index; nil for the first that has the query's properties.
    func clause(forIndex index: String?) -> TextClause {
        let indexes = index.map { Record.schema.textProperties(ofIndex: $0) } ?? []
        return indexes.isEmpty ? clause : typed?.query(forOneOf: indexes).clause ?? clause
    }
}

extension TextQuery: ExpressibleByStringLiteral {
    /// Creates a query from a literal of typed text.
    public init(stringLiteral typed: String) { self.init(typed) }
}

extension TextQuery: CustomStringConvertible {
    /// The query in the typed language, as far as that language has its parts.
    public var description: String {
        let omitted = omittedWordCount == 0 ? "" : " (and \(omittedWordCount) words left out)"
        return failure.map(\.description) ?? clause.description + omitted
    }
}

// MARK: Words

extension TextQuery {
    /// Creates a query for the words of a text, none of whose signs has a meaning.
    ///
    /// - Parameters:
    ///   - text: The words, separated by spaces. Words beyond the first 128 do not count.
    ///   - joining: The meaning of several words.
    public static func plain(_ text: String, joining: WordJoining = .all) -> TextQuery {
        let words = text.unicodeScalars.split(whereSeparator: TypedText.isSpace)
        let clauses = words.prefix(TypedText.wordLimit).map { TextClause.phrase(String($0)) }
        return TextQuery(
            joining == .all ? .joining(all: clauses) : .joining(any: clauses),
            max(0, words.count - TypedText.wordLimit))
    }

    /// Creates a query for a word. A text of several words is the phrase of them.
    public static func word(_ word: String) -> TextQuery { TextQuery(.phrase(word)) }

    /// Creates a query for the words of a text in their order.
    ///
    /// - Parameters:
    ///   - text: The words.
    ///   - slop: The number of other words allowed in between, in all: 0 to 99; others are moved to the nearest bound.
    ///   - atStart: Whether the phrase begins its property, or an element of it. Stop words of the index before it do
    ///     not count.
    /// - Throws: When run, ``StoreError/TextError/noPhrases(type:index:)`` for several words, or `atStart`, in an index
    ///   without the order of words.
    /// - Complexity: When run, O(*n*) in the texts of the records with all of the words.
    public static func phrase(_ text: String, slop: Int = 0, atStart: Bool = false) -> TextQuery {
        TextQuery(.phrase(text, slop: max(0, slop), atStart: atStart))
    }

    /// Creates a query for the words of a text in any order, near each other.
    ///
    /// - Parameters:
    ///   - text: The words.
    ///   - words: The number of other words allowed in between, in all: 0 to 99; others are moved to the nearest bound.
    /// - Throws: When run, ``StoreError/TextError/noPhrases(type:index:)`` for several words in an index without the
    ///   order of words.
    /// - Complexity: When run, O(*n*) in the texts of the records with all of the words.
    public static func near(_ text: String, within words: Int) -> TextQuery {
        TextQuery(.near(text, within: max(0, words)))
    }

    /// Creates a query for the words with a beginning. Of a text of several words, the last is a beginning.
    ///
    /// The records with any of these words are found, and none is left out. A beginning that is a stop word is left out
    /// as the word is.
    ///
    /// The first 16 different beginnings and words with edits count in a query; equal ones count once. Further ones are
    /// left out, also from phrases, as words beyond the first 128 are. This bounds the memory of a query.
    ///
    /// - Complexity: When run, O(*n*) in the postings of all words with the beginning. Memory: a byte for each record
    ///   and property of the index, in pages of 64 records. Pages without a found record take no memory. Sums of 255
    ///   and more are also in a dictionary.
    public static func prefix(_ beginning: String) -> TextQuery { TextQuery(.prefix(beginning)) }

    /// Creates a query for a word and the words within some edits of it: words with typing errors, and words of which
    /// it is a typing error.
    ///
    /// An edit adds, leaves out or replaces a letter, or exchanges two neighbors; no letter is edited twice (optimal
    /// string alignment). Letters are the Unicode scalars of the words in the index, which the analyzer has folded and
    /// may have reduced to stems. With stems, the word and its stem are compared, and the fewer edits count. All words
    /// within the edits are found: none is cut off.
    ///
    /// A record has the score of its words that have the fewest edits; they count as a single word. Records with the
    /// word as written come before records with one edit, and these before records with two. In a query of several
    /// words, the scores of the words are added.
    ///
    /// - Parameters:
    ///   - word: The word. A text of several words is the phrase of them, each with its edits: there, words count the
    ///     same whatever their edits. A word of less than 3 letters is found as it is written.
    ///   - edits: The maximum number of edits, 0 to 2; others are moved to the nearest bound. Nil for 1 in words of 3
    ///     to 7 letters, and 2 in longer ones.
    ///   - anyFirstLetter: Whether the first letter may be edited, too. This reads more of the words in the index.
    /// - Complexity: A part of the different words of the index is read: of 600,000 words a few thousand, with
    ///   `anyFirstLetter` some ten thousand. All records with the found words are visited. Memory: as for a beginning,
    ///   for each number of edits; see ``prefix(_:)`` for the limit of a query.
    public static func fuzzy(_ word: String, edits: Int? = nil, anyFirstLetter: Bool = false) -> TextQuery {
        let edits = edits.map { min(max($0, 0), FuzzyPattern.greatestEdits) }
        return TextQuery(edits == 0 ? .phrase(word) : .fuzzy(word, edits: edits, anyFirstLetter: anyFirstLetter))
    }
}

// MARK: Combinations

extension TextQuery {
    /// Creates a query for the records that match all of some queries.
    public static func all(_ queries: TextQuery...) -> TextQuery { all(queries) }

    /// Creates a query for the records that match all of some queries.
    public static func all(_ queries: [TextQuery]) -> TextQuery {
        joined(queries) { .joining(all: $0.flatMap(\.conjuncts)) }
    }

    /// Creates a query for the records that match any of some queries.
    public static func any(_ queries: TextQuery...) -> TextQuery { any(queries) }

    /// Creates a query for the records that match any of some queries.
    public static func any(_ queries: [TextQuery]) -> TextQuery {
        joined(queries) { .joining(any: $0.flatMap(\.alternatives)) }
    }

    /// Returns the query without the matches of another query.
    public func excluding(_ other: TextQuery) -> TextQuery {
        Self.joined([self, other]) { clauses in
            guard case .excluding(let clause, let excluded) = clauses[0] else {
                return .excluding(clauses[0], clauses[1])
            }
            return .excluding(clause, .any(excluded.alternatives + [clauses[1]]))
        }
    }

    /// Returns the query with a higher score for the matches of another query. It finds the same records.
    public func preferring(_ other: TextQuery) -> TextQuery {
        Self.joined([self, other]) { clauses in
            guard case .preferring(let clause, let preferred) = clauses[0] else {
                return .preferring(clauses[0], clauses[1])
            }
            return .preferring(clause, .any(preferred.alternatives + [clauses[1]]))
        }
    }

    /// Returns the query in some properties: each word must be in one of them.
    ///
    /// - Parameter properties: Properties of the full-text index. A query with others throws.
    public func within<each Value>(_ properties: repeat KeyPath<Record, each Value>) -> TextQuery {
        var names: [String] = []
        var failure = failure
        for path in repeat each properties {
            if let name = Record.schema.nameOfProperty(at: path) {
                names.append(name)
            } else {
                failure = failure ?? Record.notStored(path)
            }
        }
        return TextQuery(.within(names, clause), omittedWordCount, failure, depth: depth + 1)
    }

    /// Returns the query with its scores multiplied.
    ///
    /// - Parameter factor: A number between 0 and 1,000; others are moved to the nearest bound, and NaN to 1.
    public func boosted(by factor: Double) -> TextQuery {
        TextQuery(clause.boosted(by: factor), omittedWordCount, failure, depth: depth + (clause.isBoosted ? 0 : 1))
    }

    private static func joined(_ queries: [TextQuery], _ join: ([TextClause]) -> TextClause) -> TextQuery {
        // A key path of a generic type would be made at each call.
        let clause = join(queries.map { $0.clause })
        // A chain of queries of a kind is a single clause.
        let depth = queries.enumerated().reduce(0) { depth, query in
            max(depth, query.element.depth + (clause.absorbs(query.element.clause, at: query.offset) ? 0 : 1))
        }
        return TextQuery(
            clause, queries.reduce(0) { $0 + $1.omittedWordCount }, queries.lazy.compactMap { $0.failure }.first,
            depth: depth)
    }
}

extension TextClause {
    fileprivate var isBoosted: Bool { if case .boosted = self { true } else { false } }

    /// Returns whether the clause has the parts of another clause among its own.
    ///
    /// - Parameter place: The place of the other clause among the clauses that this clause joins.
    fileprivate func absorbs(_ other: TextClause, at place: Int) -> Bool {
        switch (self, other) {
        case (.all, .all), (.any, .any): true
        case (.excluding, .excluding), (.preferring, .preferring): place == 0
        default: false
        }
    }

    /// The clauses of which all must match. A chain of queries is no deeper than one of them.
    fileprivate var conjuncts: [TextClause] { if case .all(let clauses) = self { clauses } else { [self] } }

    /// The clauses of which any must match.
    fileprivate var alternatives: [TextClause] { if case .any(let clauses) = self { clauses } else { [self] } }
}

extension RecordSchema {
    /// Returns the stored names of the properties of each full-text index, the usual index first.
    ///
    /// - Parameter name: The name of an index; nil for all indexes.
    fileprivate func textProperties(ofIndex name: String? = nil) -> [Set<String>] {
        let texts = indexes.filter { $0.kind == .fullText && (name == nil || $0.name == name || $0.text == name) }
        return (texts.filter(\.hasAllWords) + texts.filter { !$0.hasAllWords }).map { Set($0.properties) }
    }

    /// Returns the stored name of the property at a key path; nil if it is not a stored property.
    func nameOfProperty(at path: AnyKeyPath) -> String? {
        switch property(at: path)?.place {
        case .key(let index): key[index].name
        case .field(let index): fields[index].name
        case nil: nil
        }
    }
}
