// A request together with the context or the store that answers it.

/// A request together with a context or a store: `User.filter(\.age >= 18, in: context).sorted(by: \.name).resolve()`.
///
/// It has the methods of its request without their parameter for the context. Its requests, such as the `count` of a
/// query, are called: `adults.count()`.
@dynamicMemberLookup
public struct Bound<Request: Sendable, Source: RecordReadable> {
    /// The request without the context.
    public var request: Request
    /// The context, or the store.
    public let source: Source

    /// Binds a request to a context.
    @inlinable
    public init(_ request: Request, in source: Source) {
        self.request = request
        self.source = source
    }

    /// Returns a request that is a member of the request, with the same context: `count()`, `keys()`, `explain()`.
    @inlinable
    public subscript<Member: StoreRequest>(dynamicMember path: KeyPath<Request, Member>) -> Bound<Member, Source> {
        Bound<Member, Source>(request[keyPath: path], in: source)
    }
}

extension Bound where Request: StoreRequest {
    /// Returns the result.
    ///
    /// - Throws: The error of the request.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func resolve() throws -> Request.Value { try request.resolve(in: source) }

    /// Returns the result: `orders.grouped(by: \.city).count()`.
    ///
    /// - Throws: The error of the request.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func callAsFunction() throws -> Request.Value { try request.resolve(in: source) }
}

extension Bound where Request: StoreRequest, Source == Store {
    /// The async form of `resolve()`. It reads on another thread.
    public func resolve() async throws -> Request.Value { try await request.resolve(in: source) }

    /// The async form of `callAsFunction()`. It reads on another thread.
    ///
    /// For a closure of a single expression in a function that is not async, the compiler takes the other form:
    /// `resolve()` works there, too.
    public func callAsFunction() async throws -> Request.Value { try await request.resolve(in: source) }
}

extension Bound: GraphShaping where Request: GraphShaping {
    /// The type of the found records.
    public typealias Record = Request.Record

    /// Returns a copy whose query a closure has changed.
    @inlinable
    public func changing(_ change: (inout Query<Request.Record>) -> Void) -> Bound {
        Bound(request.changing(change), in: source)
    }
}

extension Bound: QueryShaping where Request: QueryShaping {}

extension Bound: Sendable where Source: Sendable {}
