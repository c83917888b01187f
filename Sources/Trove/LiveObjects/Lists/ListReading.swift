// The window of a live list's query, as read in a snapshot.

import LMDB
import TroveCoding

/// The window of a list's query in a snapshot. It has a row more than the list shows, so that the list knows whether
/// there is one.
struct ListReading<Record: IndexKeyRecord> {
    /// The query, as the program has written it.
    let query: Query<Record>
    /// A number that changes with the query.
    private(set) var queryVersion = 0
    private let countsAll: Bool
    private let window: ObservedRows<Record>
    /// The number of rows that the list shows at most.
    private(set) var rowCount: Int
    /// The number of all matches; nil if they are not counted.
    private(set) var totalCount: Int?
    /// The records on which the rows depend.
    private(set) var region: ObservedRegion { didSet { hasNewRegion = hasNewRegion || region != oldValue } }
    private var hasNewRegion = false
    /// The commit whose state was read; 0 before the first reading.
    private(set) var commit: UInt64 = 0
    /// The number of the snapshot's transaction.
    private(set) var snapshot = -1
    /// A number that changes with the rows.
    private(set) var rowsVersion = 0
    /// Whether the window is not the one of `commit`, since a reading has failed, or since there was none.
    var isStale = true
    /// Whether the next round reports all changes since `commit`. The first may have begun before the list observed
    /// its region, and another may follow a round that met a thread with the reading.
    var followsRounds = false

    /// - Throws: The query's error.
    init(_ query: Query<Record>, rowCount: Int, countsAll: Bool) throws {
        self.query = query
        self.rowCount = rowCount
        self.countsAll = countsAll
        window = try ObservedRows(query.withoutRequests)
        region = .everything
        if window.source.isPatchable {
            region = ObservedRegion()
            for range in window.source.ranges { region.insert(range: range, of: Record.keyPrefix) }
        }
    }

    /// Follows a reading of another query.
    ///
    /// - Parameters:
    ///   - queryVersion: The number of this query.
    ///   - commit: The commit of the other reading, which the list never goes back to before.
    ///   - rowsVersion: The number of the other reading's rows.
    mutating func follow(_ queryVersion: Int, commit: UInt64, rowsVersion: Int) {
        self.queryVersion = queryVersion
        self.commit = max(self.commit, commit)
        self.rowsVersion += rowsVersion + 1
        hasNewRegion = true
    }

    /// Returns the records on which the rows depend, if they are others since the last call.
    mutating func takeNewRegion() -> ObservedRegion? {
        defer { hasNewRegion = false }
        return hasNewRegion ? region : nil
    }

    /// Whether there are rows after the last one that the list shows.
    var hasMore: Bool { window.count > rowCount }

    /// Whether the window is not the one of `commit`, since a reading has thrown after it changed the window.
    var isTorn: Bool { window.isTorn }

    /// The records of the rows that the list shows.
    private(set) var pages = RecordPages<Record>()

    /// Takes the rows to a newer snapshot.
    ///
    /// - Parameters:
    ///   - keys: The keys of the type that may have changed since the last reading.
    ///   - commit: The commit whose state the snapshot shows.
    ///   - mayBeLong: Whether many records may be visited.
    /// - Throws: ``LongReading`` instead; the errors of reading.
    mutating func update(
        _ keys: ChangedKeys.Keys, in context: ReadContext, at commit: UInt64, mayBeLong: Bool = true
    ) throws {
        window.mayBeLong = mayBeLong
        defer { window.mayBeLong = true }
        try read(keys, in: context)
        (self.commit, snapshot, isStale) = (commit, context.core.identifier, false)
    }

    /// Reads more rows, in the snapshot of the last reading.
    mutating func extend(by count: Int, in context: ReadContext) throws {
        guard hasMore else { return }
        rowCount += count
        do {
            try read(.some([]), in: context, isExtended: true)
        } catch {
            rowCount -= count
            show()
            throw error
        }
    }

    /// Reads the rows, and counts the matches.
    ///
    /// - Parameter isExtended: Whether there is another row to show in any case.
    private mutating func read(
        _ keys: ChangedKeys.Keys, in context: ReadContext, isExtended: Bool = false
    ) throws {
        window.limit = min(rowCount < .max ? rowCount + 1 : .max, max(0, query.limit ?? .max))
        // Before the window changes.
        let isCountChecked = hasMore
        try checkCount(in: context)
        guard window.source.isPatchable else {
            region = try context.notingReads {
                if try window.read(in: context) != nil || isExtended { show() }
                try count(in: context, isChecked: isCountChecked)
            }.1
            return
        }
        // A failed reading may have changed the window, and then was not shown.
        let wasStale = isStale
        let change = wasStale ? try window.read(in: context) : try window.update(in: context, keys)
        // The rows shown before stay in front.
        if isExtended { show(after: pages) } else if wasStale || change != nil { show() }
        try count(in: context, isChecked: isCountChecked)
    }

    /// Shows the rows of the window after some rows that are shown already.
    private mutating func show(after shown: RecordPages<Record> = RecordPages()) {
        rowsVersion += 1
        pages = shown
        pages.append(window.records[min(shown.count, window.count)..<min(rowCount, window.count)])
    }

    /// Throws ``LongReading`` if the next count may visit many records, and must not.
    private func checkCount(in context: ReadContext) throws {
        guard countsAll, hasMore, !window.mayBeLong, try window.source.mayBeLong(limit: nil, in: context),
            try !query.hasStoredCount(in: context)
        else { return }
        throw LongReading()
    }

    private mutating func count(in context: ReadContext, isChecked: Bool) throws {
        guard countsAll else { return }
        if !isChecked {
            window.isTorn = true
            try checkCount(in: context)
            window.isTorn = false
        }
        totalCount = try hasMore ? query.count(in: context) : window.count
    }
}
