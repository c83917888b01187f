// A reference to a table without reference counting, for the hot paths.

/// A table that a transaction keeps, or the catalog's snapshot of the transaction. It holds until the transaction's
/// end.
@usableFromInline
@safe struct HeldTable {
    @usableFromInline let reference: Unmanaged<RecordTable>

    @inline(__always)
    init(_ table: RecordTable) { unsafe reference = .passUnretained(table) }

    /// Calls a closure with the table, without reference counting.
    @inlinable
    @inline(__always)
    func withTable<R>(_ body: (RecordTable) throws -> R) rethrows -> R {
        try unsafe reference._withUnsafeGuaranteedRef(body)
    }

    /// The table, with a reference of its own.
    var table: RecordTable { unsafe reference.takeUnretainedValue() }
}
