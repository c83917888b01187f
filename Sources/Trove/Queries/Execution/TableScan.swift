// A scan of the records' own table.

import LMDB
import TroveCoding

/// A cursor over the records of a plan, up to its limit.
///
/// The loop over a batch is compiled into the caller; only each batch needs a call.
@usableFromInline
struct TableScan: ~Copyable, BatchCursor {
    @usableFromInline let context: ReadContext
    private var cursor: OrderedCursor
    private var remaining: Int
    private let mayWrite: Bool
    /// Whether the transaction's pages are lent to the caller.
    @usableFromInline var isLent = false

    /// Creates a scan.
    ///
    /// - Parameter mayWrite: Whether the caller writes while it reads a batch. In a write transaction, entries are then
    ///   copied one by one. Otherwise a batch is in the transaction's pages, and the transaction refuses all other use
    ///   until the next batch is fetched.
    @usableFromInline
    init(_ context: ReadContext, _ table: RecordTable, _ plan: ScanPlan, mayWrite: Bool) throws {
        self.context = context
        cursor = try translatingErrors { try OrderedCursor(table, context.keyspace, plan, mayWrite: mayWrite) }
        remaining = plan.limit ?? .max
        self.mayWrite = mayWrite
    }

    // Inlinable, since the compiler otherwise fails to inline a query's loop into its caller.
    @inlinable
    deinit { if isLent { Self.returnPages(of: context) } }

    @usableFromInline
    static func returnPages(of context: ReadContext) { context.keyspace.closeValue() }

    /// Returns the next entries, valid until the next call; nil at the end.
    @usableFromInline
    mutating func next() throws -> EntryBatch? { try next(atMost: .max) }

    mutating func next(atMost limit: Int) throws -> EntryBatch? {
        if isLent { Self.returnPages(of: context) }
        isLent = false
        guard remaining > 0 else { return nil }
        do {
            guard let batch = try cursor.next(atMost: min(limit, remaining)) else { return nil }
            if !mayWrite, context.keyspace.lendPages() { isLent = true }
            remaining -= batch.count
            return batch
        } catch let error as LMDBError {
            throw StoreError(error)
        }
    }
}
