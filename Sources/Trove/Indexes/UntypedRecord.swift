// A decoded record without its type, for code that serves all types of records.

/// The place of a decoded record, valid until the end of the closure that receives it.
@usableFromInline
@safe struct UntypedRecord {
    @usableFromInline let pointer: UnsafeRawPointer

    /// Calls a closure with a record.
    static func with<Record, Result>(
        _ record: Record, _ body: (UntypedRecord) throws -> Result
    ) rethrows -> Result {
        try unsafe withUnsafePointer(to: record) { try unsafe body(UntypedRecord(pointer: $0)) }
    }

    /// Returns the record. The caller knows its type: the type passed to ``with(_:_:)``.
    @inlinable
    @inline(__always)
    func record<Record>(as type: Record.Type) -> Record { unsafe pointer.assumingMemoryBound(to: type).pointee }
}
