// The key path of a property in a request.

/// The key path of a property in a request.
///
/// Unchecked because a key path can hold a value that is not sendable, such as the argument of a subscript. A request
/// compares the key path with those of the schema before it reads a record by it. A key path with an argument is none
/// of those, and the request throws.
@usableFromInline
struct SendablePath<Record, Value>: @unchecked Sendable {
    @usableFromInline let path: KeyPath<Record, Value>

    @inlinable
    init(_ path: KeyPath<Record, Value>) { self.path = path }
}
