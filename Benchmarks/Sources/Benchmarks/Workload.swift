// The type of a workload. All workloads are in Workloads.swift and its extensions.

/// A piece of work for every peer.
struct Workload: Sendable {
    /// The name in tables, such as `W1`.
    let id: String
    let title: String
    /// The number of records in a run, for figures per record.
    let records: Int
    /// The upper bound of Trove's ratio; nil if the ratio is only reported.
    let target: Double?
    let work: Work
    /// The peers of the workload; nil for those of ``PeerKind/withPeople``.
    var peers: [PeerKind]?
    /// The reference peer.
    var baseline = PeerKind.baseline
    /// The figure of the bytes on disk after the work, beside that of the reference peer.
    var size: Size?

    /// The work, by the required database.
    enum Work: Sendable {
        /// Reads a database with all people.
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
        case readingIndexed(IndexedContents, Reading<any IndexingPeer>)
        /// Changes a new database with indexes.
        case writingIndexed(WritingIndexed)
        /// Changes a new database with relations.
        case relating(Relating)
        /// Reads a database with relations.
        case readingGraphs(GraphContents, Reading<any GraphPeer>)
        /// Measures itself with a new database that is observed.
        case observing(@Sendable (any ObservingPeer) async throws -> Measurement)
        /// Stores and indexes a collection of texts in a new database. The reference for the time is the same peer's
        /// work with the indexes of `beside`; for nil, it is the baseline's run.
        case indexingTexts(TextCollection, EntryIndexes, beside: EntryIndexes? = nil)
        /// Searches or changes a database with a collection of texts.
        case searching(Searching)
        /// Asks a shop a question, in a single read transaction.
        case asking(Question)
        /// Changes a shop, in a single transaction.
        case changingShop(ShopChange)
        /// Reads a database with a number of sales with totals, and as many without.
        case readingSales(Int, Reading<any TotalingPeer>)
        /// Changes a new database with a table of sales. The reference is the same peer's work on another table.
        case writingSales(WritingSales)
    }

    /// A figure of bytes on disk.
    struct Size: Sendable {
        /// The name in tables, such as `size`.
        let id: String
        let title: String
        let target: Double
    }

    /// Work on a new database.
    struct Writing: Sendable {
        var isDurable = false
        /// Whether several threads do the work.
        var isConcurrent = false
        /// The unmeasured preparation.
        var prepare: @Sendable (any Peer) throws -> Void = { _ in }
        let run: @Sendable (any Peer) async throws -> Void
        /// The people expected in the database afterwards, in the order of their ids.
        var people: [Person] = []
        /// The number of flights expected in the database afterwards.
        var flights = 0
        /// The number of changes expected in the history, if the database keeps one; nil for no history. The reference
        /// is the same peer's work without a history.
        var changes: Int?

        var withoutHistory: Writing {
            var writing = self
            writing.changes = nil
            return writing
        }
    }

    /// The people in a database with indexes.
    enum IndexedContents: Hashable {
        /// A number of people with an index and a unique constraint.
        case indexed(Int)
        /// A number of people without indexes.
        case plain(Int)
    }

    /// The entities in a database whose graphs are read.
    enum GraphContents: Hashable {
        /// A number of chats of 100 messages each, whose authors take turns at random. The ids of the messages ascend
        /// from chat to chat, or are in random order.
        case chats(Int, isShuffled: Bool)
        /// A number of messages in the list of a single member, in random order.
        case list(Int)
        /// A number of contacts with ten friends each.
        case contacts(Int)
    }

    /// Work that changes nothing.
    struct Reading<Peer>: Sendable {
        let run: @Sendable (Peer) throws -> Checksum
        /// The same peer's work as the reference for the time; nil for the baseline's run.
        var reference: (@Sendable (Peer) throws -> Checksum)?
    }

    /// Work on a new database with relations.
    struct Relating: Sendable {
        /// Whether each commit is durable, and several tasks do the work.
        var isDurable = false
        /// Whether the work may enlarge Trove's file: false if it changes nothing.
        var mayGrow = true
        /// The unmeasured preparation.
        var prepare: @Sendable (any RelatingPeer) throws -> Void = { _ in }
        let run: @Sendable (any RelatingPeer) async throws -> Void
        /// The contents expected in the database afterwards; nil if their order is not known.
        let contents: ChatContents?
    }

    /// Work on a database with a collection of texts. Added texts stay for the next workload.
    struct Searching: Sendable {
        var texts: TextCollection
        var indexes = EntryIndexes.words
        /// Whether each commit is durable.
        var isDurable = false
        /// The quantile of the times of single changes that counts as the time; nil for the time of the whole run.
        var quantile: Double?
        /// The collection for the same peer's work as the reference for the time; nil for the baseline's run.
        var reference: TextCollection?
        /// Makes the queries, outside of the measured time.
        var prepare: @Sendable () -> Void = {}
        /// - Parameter times: The seconds of single changes.
        let run: @Sendable (_ peer: any SearchingPeer, _ times: inout [Double]) throws -> Checksum
    }

    /// Work on a new database with sales.
    struct WritingSales: Sendable {
        /// The sales that are inserted before, as the unmeasured preparation.
        var stored: [Sale] = []
        /// The sales to insert, in the order of their ids. They replace all stored sales.
        let inserted: [Sale]
        /// Whether each sale has a transaction of its own.
        var isEach = false
        /// The table whose changes are measured, and that of the reference.
        var table = SaleTable.totaled
        var reference = SaleTable.indexed
    }

    /// Work on a new database with indexes.
    struct WritingIndexed: Sendable {
        /// The unmeasured preparation.
        var prepare: @Sendable (any IndexingPeer) throws -> Void = { _ in }
        let run: @Sendable (any IndexingPeer) throws -> Void
        /// The people expected in the database afterwards, in the order of their ids.
        var plain: [Person] = []
        var indexed: [IndexedPerson] = []
        /// The same peer's work on another new database as the reference for the time; nil for the baseline's run.
        var reference: (@Sendable () -> WritingIndexed)?
    }
}
