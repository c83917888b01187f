// The location of a property in stored records.

/// The location of a stored property in a record.
@usableFromInline
enum PropertyLocation: Hashable, Sendable {
    case key(Int)
    case field(Int)
}
