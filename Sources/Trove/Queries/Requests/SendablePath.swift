// The key path of a property in a request.

/// The key path of a property in a request.
///
/// Unchecked because the key path of an actor's property is not sendable. Requests use key paths of stored properties
/// of records alone: others have no reader.
@usableFromInline
struct SendablePath<Record, Value>: @unchecked Sendable {
    @usableFromInline let path: KeyPath<Record, Value>

    @inlinable
    init(_ path: KeyPath<Record, Value>) { self.path = path }
}
