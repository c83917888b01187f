// What a peer must be able to do for the workloads of indexes.

/// A database with two tables of people: one without indexes, and one that has an index of ages and a unique
/// constraint on e-mail addresses.
///
/// As with ``Peer``, what a method calls one transaction is one for every peer.
protocol IndexingPeer: AnyObject, Sendable {
    /// Opens the database, or makes one.
    init(at place: Place) throws

    // MARK: Writing

    /// Inserts people without indexes in one transaction; those who are there are replaced.
    func insert(_ people: [Person]) throws
    /// Inserts people in one transaction; those who are there are replaced. An e-mail address that another one has is an
    /// error.
    func insert(_ people: [IndexedPerson]) throws
    /// Gets people without indexes by their ids, and gives them the names that they have here, in one
    /// transaction.
    func rename(_ people: [Person]) throws
    /// Gets people by their ids, and gives them the names that they have here, in one transaction.
    func rename(_ people: [IndexedPerson]) throws
    /// Makes people a year older in one transaction, and those of the highest age newborn.
    func age(_ ids: [Int64]) throws
    /// Makes an index of the ages of those who have no indexes.
    func buildIndex() throws

    // MARK: Reading

    /// Everyone of an age, in the order of ids.
    func people(ofAge age: Int) throws -> [IndexedPerson]
    /// Those of some ages, sorted by age, at most so many. Those of one age are in the order of their ids, also where ages
    /// descend.
    func people(_ order: AgeOrder, atMost limit: Int?) throws -> [IndexedPerson]
    /// Counts the people of some ages.
    func count(_ ages: Range<Int>) throws -> Int
    /// Everyone of an age without indexes, in the order of ids.
    func plainPeople(ofAge age: Int) throws -> [Person]

    /// Brings all that is committed into the database's main file, where a peer keeps it elsewhere for a time.
    func settle() throws

    /// Everyone without indexes, and everyone else, in the order of ids, after a look whether the indexes
    /// have just what follows from the people.
    func verified() throws -> (plain: [Person], indexed: [IndexedPerson])
}

extension IndexingPeer {
    func settle() throws {}
}

/// Some ages, and which of them comes first.
enum AgeOrder: Sendable {
    case ascending(Range<Int>)
    case descending(Range<Int>)
}

extension PeerKind {
    /// Who does the workloads of indexes.
    static let indexing: [PeerKind] = [.trove, .liblmdb, .grdbFast]

    /// - Throws: An error for a peer that is not one of ``indexing``.
    func openIndexing(at place: Place) throws -> any IndexingPeer {
        switch self {
        case .trove: try TroveIndexingPeer(at: place)
        case .liblmdb: try LiblmdbIndexingPeer(at: place)
        case .grdbFast: try GRDBIndexingPeer(at: place)
        case .liblmdbPlain, .grdbCodable: throw BenchmarkError("\(rawValue) has no indexes")
        }
    }
}
