// Requests: questions that a snapshot of a store can answer. Each can be run, awaited, bound and observed.
//
//     a request ─┬─ resolve(in: context or store)        read
//                ├─ await resolve(in: store)             read on another thread
//                ├─ fetch(request, another)              several in one snapshot, of a context or store
//                ├─ Bound(request, in: source)           the same, with its context or store
//                └─ values(in: store)                    read again after each change: Observation/

/// A request to a snapshot of a store: a query, a count, a sum, or any other function of a snapshot.
///
/// ```swift
/// let adults = User.filter(\.age >= 18).sorted(by: \.name)
/// let users = try await adults.resolve(in: store)
/// let oldest = try await adults.max(of: \.age).resolve(in: store)
/// for try await users in adults.values(in: store) { show(users) }
/// ```
///
/// A type of a program can be a request, too. Then its values are compared if they are `Equatable`, and its reads
/// decide which commits are of interest:
///
/// ```swift
/// struct Revenue: StoreRequest {
///     var city: String
///
///     func value(in context: ReadContext) throws -> Int {
///         try Order.filter(\.city == city).sum(of: \.total).resolve(in: context)
///     }
/// }
/// for try await revenue in Revenue(city: "Oslo").values(in: store) { show(revenue) }
/// ```
public protocol StoreRequest<Value>: Sendable {
    /// The result.
    associatedtype Value: Sendable

    /// Returns the result in a snapshot.
    ///
    /// An observed request is called on a background thread. The result must depend on the snapshot alone: a change of
    /// a clock or of a global variable is not noticed.
    func value(in context: ReadContext) throws -> Value
}

extension StoreRequest {
    /// Returns the result.
    ///
    /// - Parameter source: A context, or a store.
    /// - Throws: The error of the request; ``StoreError`` if no snapshot can be read.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func resolve(in source: some RecordReadable) throws -> Value { try source.reading { try value(in: $0) } }

    /// The async form of `resolve(in:)`. It reads on another thread.
    public func resolve(in store: Store) async throws -> Value { try await store.read { try value(in: $0) } }
}

extension RecordReadable {
    /// Returns the results of several requests in one snapshot.
    ///
    /// ```swift
    /// let adults = User.filter(\.age >= 18)
    /// let (oldest, count) = try store.fetch(adults.sorted(by: \.age.desc).first, adults.count)
    /// ```
    ///
    /// - Parameter requests: Queries, and other requests.
    /// - Throws: The error of the first request that fails; ``StoreError`` if no snapshot can be read.
    @available(*, noasync, message: "await the call")
    public func fetch<each Request: StoreRequest>(
        _ requests: repeat each Request
    ) throws -> (repeat (each Request).Value) {
        try reading { context in (repeat try (each requests).value(in: context)) }
    }
}

extension Store {
    /// The async form of `fetch(_:)`. It reads on another thread.
    public func fetch<each Request: StoreRequest>(
        _ requests: repeat each Request
    ) async throws -> (repeat (each Request).Value) {
        try await read { context in (repeat try (each requests).value(in: context)) }
    }
}
