// Calls of a bound query with a context, which the compiler answers with the right call.

import TroveCoding

extension BoundQuery {
    /// Does not exist: the query has its store or context already.
    @available(*, unavailable, message: "the query has its store or context already: resolve()")
    public func resolve(in other: some RecordReadable) throws -> [Record] { try query.resolve(in: other) }

    /// Does not exist: the query has its store or context already.
    @available(*, unavailable, message: "the query has its store or context already: first()")
    public func first(in other: some RecordReadable) throws -> Record? { try query.first(in: other) }

    /// Does not exist: the query has its store or context already.
    @available(*, unavailable, message: "the query has its store or context already: count()")
    public func count(in other: some RecordReadable) throws -> Int { try query.count(in: other) }
}
