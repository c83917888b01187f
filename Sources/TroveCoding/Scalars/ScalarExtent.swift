// How far the bytes of a scalar go, for code that moves past values without making them.

/// The extent of a scalar's bytes in the fields of a record.
enum ScalarExtent {
    /// So many bytes, and any such bytes are a value.
    case fixed(Int)
    /// A byte 0 or 1.
    case tag
    /// A length, and as many bytes.
    case counted
    /// As far as the type's own `skip(in:)` moves.
    case skipped(any StoredScalar.Type)
}
