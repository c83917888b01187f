// The extent of a scalar's bytes, for code that moves past values without creating them.

/// The extent of a scalar's bytes in the fields of a record.
enum ScalarExtent {
    /// A fixed number of bytes, and any such bytes are a value.
    case fixed(Int)
    /// A byte 0 or 1.
    case tag
    /// A length, then as many bytes.
    case counted
    /// The bytes that the type's own `skip(in:)` moves past.
    case skipped(any StoredScalar.Type)
}
