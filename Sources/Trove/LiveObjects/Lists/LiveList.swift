// A list of live objects that follows a query. LiveList+Reading reads it.

import LMDB
import TroveCoding

/// The first rows of a query as live objects, exact after every commit of any process.
///
/// ```swift
/// let list = try LiveList(User.filter(\.age >= 18).sorted(by: \.name), in: store)
/// for user in list.rows { print(user.name) }
/// list.rowAppeared(user)      // near the end of the rows: reads the next page
/// ```
///
/// The list is a window of the query: its first rows, as many as pages have been loaded. Rows move, appear and
/// disappear with the commits that change them. A list with a short last page grows with its query. Without `sorted`,
/// the rows are in the order of their keys.
///
/// ``rows``, ``hasMore``, ``totalCount``, ``query`` and ``error`` are observable, each on its own. All rows of a value
/// of ``rows`` are from one snapshot. Requests of the query for relations are left out; the relations of a row are
/// queries of their own: ``Live/related(_:)``.
///
/// The list can be used from any thread. Its properties never wait. One thread at a time reads pages; another one waits
/// for it. A closure of the query may use the properties, but no method that reads pages. The list keeps the store
/// open.
///
/// Unchecked because the compiler cannot see that the locks guard the state, and that `registration` is set once.
public final class LiveList<Record: IndexKeyRecord>: LiveObject, @unchecked Sendable {
    /// The number of rows of a page.
    public let pageSize: Int
    let use: LiveHomeUse
    let countsAll: Bool
    /// The reading of the query.
    let reading: SharedReading<Record>
    /// The values that the properties return. Its lock is held for moments only.
    let showing: Monitor<ListShowing<Record>>
    private(set) var registration: HubRegistration?
    /// The rounds that have left it to the list to follow.
    let late = LateRequests()

    /// Creates a list, and reads its first page.
    ///
    /// - Parameters:
    ///   - query: The query. Its own limit is a limit of the list.
    ///   - store: The store.
    ///   - pageSize: The number of rows of a page, at least 1.
    ///   - countsAll: Whether all matches are counted after each change; see ``totalCount``.
    /// - Throws: The errors of ``Query/resolve(in:)-(RecordReadable)``, and
    ///   ``StoreError/TransactionError/closed(path:)``.
    /// - Complexity: A run of the query with the limit `pageSize`, and a count with `countsAll`.
    public init(_ query: Query<Record>, in store: Store, pageSize: Int = 100, countsAll: Bool = false) throws {
        self.pageSize = max(1, pageSize)
        self.countsAll = countsAll
        use = LiveHomeUse(store.liveHome)
        let reading = try ListReading(query, rowCount: self.pageSize, countsAll: countsAll)
        let region = reading.region
        self.reading = SharedReading(reading)
        showing = Monitor(ListShowing(ListShowing.Values(query: query, rows: LiveRows(RecordPages(), use, at: -1))))
        super.init()
        // Before the first reading: then no commit falls between the two.
        // A round waits for the lock until the registration is there.
        try self.reading.locked { registration = try store.register(self, for: region) }
        try load(notifies: false)
    }

    /// Creates a list of a query that is bound to a store, and reads its first page:
    /// `LiveList(user.related(\.$chats))`.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - pageSize: The number of rows of a page, at least 1.
    ///   - countsAll: Whether all matches are counted after each change.
    /// - Throws: The errors of `init(_:in:pageSize:countsAll:)`.
    public convenience init(
        _ query: Bound<Query<Record>, Store>, pageSize: Int = 100, countsAll: Bool = false
    ) throws {
        try self.init(query.request, in: query.source, pageSize: pageSize, countsAll: countsAll)
    }

    /// The store.
    public var store: Store { use.home.ownStore }

    private var values: ListShowing<Record>.Values { showing.withLock { $0.values } }

    /// The rows of all pages loaded so far.
    public var rows: LiveRows<Record> {
        access(.rows)
        return values.rows
    }

    /// Whether there are rows after the last one.
    public var hasMore: Bool {
        access(.hasMore)
        return values.hasMore
    }

    /// The number of all matches of the query; nil if the list does not count them.
    public var totalCount: Int? {
        access(.totalCount)
        return values.totalCount
    }

    /// The error of the last reading; nil if it succeeded. The rows stay as they were before.
    ///
    /// The next change of the records reads the list again, and so does `reload()`.
    public var error: (any Error)? {
        access(.error)
        return values.error
    }

    /// The query. A new one is read at once, from its first page. It does not wait for a reading of the old one.
    ///
    /// If a new query has an error of its own, such as a property that is not stored, the list keeps its query. If the
    /// new query cannot be read, the rows stay as they are. In both cases, ``error`` has the reason.
    public var query: Query<Record> {
        get {
            access(.query)
            return values.query
        }
        // A setter cannot throw: the error is in `error`.
        set { try? replaceQuery(newValue) }
    }

    /// Reads the next page, if there is one.
    ///
    /// - Throws: The errors of ``Query/resolve(in:)-(RecordReadable)``. The rows stay as they are, and ``error`` has
    ///   the error, too. ``StoreError/LiveError/listIsReading(type:)`` in a closure of the list's own query.
    /// - Complexity: A read of a page after the last row, wherever it is. An order by a closure, by relevance or by
    ///   relations reads the pages before it, too.
    @available(*, noasync, message: "await the call")
    public func loadMore() throws {
        try load { reading, context in try reading.extend(by: pageSize, in: context) }
    }

    /// The async form of ``loadMore()``.
    public func loadMore() async throws { try await Store.inBackground { _ in try self.loadMore() } }

    /// Reads the next page if a row is near the end: in the last quarter of a page. For a view that shows a row.
    ///
    /// An error is left in ``error``.
    public func rowAppeared(_ row: Live<Record>) {
        let values = values
        guard values.hasMore,
            values.rows.indices.suffix(max(1, pageSize / 4)).contains(where: {
                values.rows.record(at: $0).indexKey == row.key
            })
        else { return }
        // The error is in `error`.
        try? loadMore()
    }

    /// Reads the rows as of the last commit.
    ///
    /// A list follows the commits by itself. A call helps after an error.
    ///
    /// - Throws: The errors of ``Query/resolve(in:)-(RecordReadable)``. The rows stay as they are, and ``error`` has
    ///   the error, too. ``StoreError/LiveError/listIsReading(type:)`` in a closure of the list's own query.
    @available(*, noasync, message: "await the call")
    public func reload() throws { try load() }

    /// The async form of `reload()`.
    public func reload() async throws { try await Store.inBackground { _ in try self.reload() } }
}
