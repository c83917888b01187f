// A reference to a table without reference counting, for the hot paths.

/// A table kept by a transaction or by the transaction's catalog snapshot. The reference is valid until the
/// transaction's end.
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

    /// The table, as a strong reference.
    var table: RecordTable { unsafe reference.takeUnretainedValue() }
}
