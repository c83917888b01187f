// The operations of a peer for the index workloads.

/// A database with two tables of people: the first without indexes, the second with an index of ages and a unique
/// constraint on e-mail addresses.
///
/// As with ``Peer``, a transaction in the description of a method is a single transaction for every peer.
protocol IndexingPeer: AnyObject, Sendable {
    /// Opens the database; creates it if it does not exist.
    init(at place: Place) throws

    // MARK: Writing

    /// Inserts people without indexes in a single transaction. Existing people are replaced.
    func insert(_ people: [Person]) throws
    /// Inserts people in a single transaction. Existing people are replaced. An e-mail address that another person has
    /// is an error.
    func insert(_ people: [IndexedPerson]) throws
    /// Gets people without indexes by their ids, and saves them under the given names, in a single transaction.
    func rename(_ people: [Person]) throws
    /// Gets people by their ids, and saves them under the given names, in a single transaction.
    func rename(_ people: [IndexedPerson]) throws
    /// Makes people a year older in a single transaction; people of the highest age become newborn.
    func age(_ ids: [Int64]) throws
    /// Builds an index over the ages of the people without indexes.
    func buildIndex() throws

    // MARK: Reading

    /// Returns all people of an age, in the order of ids.
    func people(ofAge age: Int) throws -> [IndexedPerson]
    /// Returns at most `limit` people of some ages, sorted by age. People of the same age are in the order of their
    /// ids, even if ages descend.
    func people(_ order: AgeOrder, atMost limit: Int?) throws -> [IndexedPerson]
    /// Counts the people of some ages.
    func count(_ ages: Range<Int>) throws -> Int
    /// Returns all people of an age without indexes, in the order of ids.
    func plainPeople(ofAge age: Int) throws -> [Person]

    /// Writes all committed data to the database's main file, if the peer keeps it elsewhere for a time.
    func settle() throws

    /// Checks that the indexes have exactly the entries derived from the people. Returns all people without indexes and
    /// all others, in the order of ids.
    func verified() throws -> (plain: [Person], indexed: [IndexedPerson])
}

extension IndexingPeer {
    func settle() throws {}
}

/// A range of ages with its direction.
enum AgeOrder: Sendable {
    case ascending(Range<Int>)
    case descending(Range<Int>)
}

extension PeerKind {
    /// The peers of the index workloads.
    static let indexing: [PeerKind] = [.trove, .liblmdb, .grdbFast]

    /// - Throws: An error for a peer outside ``indexing``.
    func openIndexing(at place: Place) throws -> any IndexingPeer {
        switch self {
        case .trove: try TroveIndexingPeer(at: place)
        case .liblmdb: try LiblmdbIndexingPeer(at: place)
        case .grdbFast: try GRDBIndexingPeer(at: place)
        default: throw BenchmarkError("\(rawValue) has no indexes")
        }
    }
}
