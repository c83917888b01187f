// What a workload is; all of them stand in Workloads.swift.

/// A piece of work that every peer does.
struct Workload: Sendable {
    /// How it is called in tables, such as `W1`.
    let id: String
    let title: String
    /// How many records a run works on, for figures by record.
    let records: Int
    /// The most that Trove's ratio may be; nil where it is only reported.
    let target: Double?
    let work: Work
    /// Who does it; nil for everyone.
    var peers: [PeerKind]?

    /// The work, by the database that it needs.
    enum Work: Sendable {
        /// Reads a database that holds everyone.
        case reading(@Sendable (any Peer) throws -> Checksum)
        /// Changes a new database.
        case writing(Writing)
        /// Opens a large database, and gets a person.
        case opening(people: Int)
        /// Measures itself, in two new places.
        case migrating(@Sendable (Place, Place) async throws -> Measurement)
        /// Measures itself.
        case measuring(@Sendable (any Peer) async throws -> (Measurement, Checksum))
        /// Reads a database with indexes.
        case readingIndexed(IndexedContents, ReadingIndexed)
        /// Changes a new database with indexes.
        case writingIndexed(WritingIndexed)
    }

    /// Work on a new database.
    struct Writing: Sendable {
        var isDurable = false
        /// Whether several threads do it.
        var isConcurrent = false
        /// What is done before, unmeasured.
        var prepare: @Sendable (any Peer) throws -> Void = { _ in }
        let run: @Sendable (any Peer) async throws -> Void
        /// The people who must be there afterwards, in the order of their ids.
        var people: [Person] = []
        /// How many flights must be there afterwards.
        var flights = 0
    }

    /// Who is in a database with indexes.
    enum IndexedContents: Hashable {
        /// So many, with an index and a unique constraint.
        case indexed(Int)
        /// So many without.
        case plain(Int)
    }

    /// Work on a database with indexes.
    struct ReadingIndexed: Sendable {
        let run: @Sendable (any IndexingPeer) throws -> Checksum
        /// The same peer's work that the time is compared with; nil for the baseline's.
        var reference: (@Sendable (any IndexingPeer) throws -> Checksum)?
    }

    /// Work on a new database with indexes.
    struct WritingIndexed: Sendable {
        /// What is done before, unmeasured.
        var prepare: @Sendable (any IndexingPeer) throws -> Void = { _ in }
        let run: @Sendable (any IndexingPeer) throws -> Void
        /// The people who must be there afterwards, in the order of their ids.
        var plain: [Person] = []
        var indexed: [IndexedPerson] = []
        /// The same peer's work on another new database that the time is compared with; nil for the baseline's.
        var reference: (@Sendable () -> WritingIndexed)?
    }
}
