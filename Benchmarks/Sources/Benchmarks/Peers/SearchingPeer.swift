// The operations of a peer for the text workloads.

/// A database of entries with a full-text index of titles and bodies.
///
/// As with ``Peer``, a transaction in the description of a method is a single transaction for every peer.
protocol SearchingPeer: AnyObject, Sendable {
    /// Opens the database; creates it if it does not exist.
    init(at place: Place) throws

    // MARK: Writing

    /// Inserts new entries in a single transaction.
    func insert(_ entries: [Entry]) throws
    /// Replaces the texts of entries in a single transaction.
    func replace(_ entries: [Entry]) throws
    /// Inserts new entries without an index in a single transaction.
    func insert(_ entries: [EarlierEntry]) throws
    /// Builds the full-text index of the entries that were inserted without an index.
    func buildIndex() throws
    /// Inserts new entries with an index of years in a single transaction.
    func insert(_ entries: [DatedEntry]) throws

    /// Inserts new entries with an index for parts of their bodies in a single transaction.
    func insert(_ entries: [PartEntry]) throws

    // MARK: Searching

    /// The number of entries.
    func entryCount() throws -> Int
    /// Counts the entries that match.
    func count(_ query: WordQuery) throws -> Int
    /// Returns the best matches, the best first.
    func best(_ query: WordQuery, atMost limit: Int) throws -> [Entry]
    /// Returns parts of some 24 words of the bodies of the best matches, with marks around the words of the query.
    func snippets(_ query: WordQuery, atMost limit: Int) throws -> [String]
    /// Returns the best matches of a year, the best first.
    func best(_ query: WordQuery, of year: Int, atMost limit: Int) throws -> [DatedEntry]
    /// Returns the matches with the greatest years.
    func latest(_ query: WordQuery, atMost limit: Int) throws -> [DatedEntry]

    /// Returns the best matches of the words within two edits of a word, the best first.
    func best(near word: String, atMost limit: Int) throws -> [Entry]
    /// Does what a search box does after a keystroke. Returns the number of completions and of matches.
    func answer(typed: String) throws -> Int

    /// Counts the entries whose bodies contain a part, in lower case.
    func count(withPart part: String) throws -> Int
    /// Returns the first entries whose bodies contain a part, in the order of their ids.
    func first(_ limit: Int, withPart part: String) throws -> [PartEntry]

    /// Writes all committed data to the database's main file, if the peer keeps it elsewhere for a time.
    func settle() throws
}

extension SearchingPeer {
    func settle() throws {}

    func best(near word: String, atMost limit: Int) throws -> [Entry] { throw BenchmarkError("no words with edits") }
    func answer(typed: String) throws -> Int { throw BenchmarkError("no suggestions") }
}

/// A search for words.
enum WordQuery: Sendable {
    case all([String])
    case any([String])
    case phrase([String])
    case prefix(String)
}

extension PeerKind {
    /// The peers of the text workloads. SQLite's FTS5 is the baseline.
    static let searching: [PeerKind] = [.trove, .grdbFast]

    /// - Throws: An error for a peer outside ``searching``.
    func openSearching(at place: Place) throws -> any SearchingPeer {
        switch self {
        case .trove: try TroveSearchingPeer(at: place)
        case .grdbFast: try FTS5Peer(at: place)
        default: throw BenchmarkError("\(rawValue) has no full text")
        }
    }
}
