// The key path of a stored property in a schema.

/// The key path of a stored property in queries.
///
/// Unchecked because the key path of an actor's property is not sendable. A schema only compares it with others, and
/// never reads a record by it.
@usableFromInline
struct PropertyPath: @unchecked Sendable {
    let path: AnyKeyPath

    @usableFromInline
    init(_ path: AnyKeyPath) { self.path = path }
}
