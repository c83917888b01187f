// The calls of a query for several records, on a query for a single record and on a query for a list of keys.

import TroveCoding

extension RecordQuery {
    /// Returns the record; nil if there is none: ``resolve(in:)-(RecordReadable)``.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func first(in source: some RecordReadable) throws -> Record? { try resolve(in: source) }

    /// Returns whether the record is stored. The record is not decoded.
    ///
    /// - Parameter source: A context, or a store.
    @available(*, noasync, message: "await the call")
    public func exists(in source: some RecordReadable) throws -> Bool {
        try source.reading { context in try found(in: context)?.exists(in: context) ?? false }
    }

    /// Returns 1 if the record is stored, otherwise 0. The record is not decoded.
    ///
    /// - Parameter source: A context, or a store.
    @available(*, noasync, message: "await the call")
    public func count(in source: some RecordReadable) throws -> Int { try exists(in: source) ? 1 : 0 }

    /// The async form of `first(in:)`.
    public func first(in store: Store) async throws -> Record? { try await resolve(in: store) }

    /// The async form of `exists(in:)`.
    public func exists(in store: Store) async throws -> Bool { try await store.read { try exists(in: $0) } }

    /// The async form of `count(in:)`.
    public func count(in store: Store) async throws -> Int { try await store.read { try count(in: $0) } }
}

extension BoundRecordQuery {
    /// Returns the record; nil if there is none: `resolve()`.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func first() throws -> Record? { try resolve() }

    /// Returns whether the record is stored. The record is not decoded.
    @available(*, noasync, message: "await the call")
    public func exists() throws -> Bool { try query.exists(in: source) }

    /// Returns 1 if the record is stored, otherwise 0. The record is not decoded.
    @available(*, noasync, message: "await the call")
    public func count() throws -> Int { try query.count(in: source) }
}

extension BoundRecordQuery where Source == Store {
    /// The async form of `first()`.
    public func first() async throws -> Record? { try await query.first(in: source) }

    /// The async form of `exists()`.
    public func exists() async throws -> Bool { try await query.exists(in: source) }

    /// The async form of `count()`.
    public func count() async throws -> Int { try await query.count(in: source) }
}

// MARK: Lists of keys

extension RecordListQuery {
    /// Returns the record of the first key that has one; nil if there is none.
    ///
    /// - Parameter source: A context, or a store.
    @available(*, noasync, message: "await the call")
    public func first(in source: some RecordReadable) throws -> Record? {
        try changing { $0.limit = Swift.min($0.limit ?? 1, 1) }.resolve(in: source).first
    }

    /// Returns whether any of the records is stored. No record is decoded.
    ///
    /// - Parameter source: A context, or a store.
    @available(*, noasync, message: "await the call")
    public func exists(in source: some RecordReadable) throws -> Bool { try query.exists(in: source) }

    /// Returns the number of records that ``resolve(in:)-(RecordReadable)`` returns. No record is decoded, unless a key
    /// occurs twice.
    ///
    /// - Parameter source: A context, or a store.
    @available(*, noasync, message: "await the call")
    public func count(in source: some RecordReadable) throws -> Int {
        let (query, hasRepeats) = queryAndRepeats
        return hasRepeats ? try resolve(in: source).count : try query.count(in: source)
    }

    /// The async form of `first(in:)`.
    public func first(in store: Store) async throws -> Record? { try await store.read { try first(in: $0) } }

    /// The async form of `exists(in:)`.
    public func exists(in store: Store) async throws -> Bool { try await store.read { try exists(in: $0) } }

    /// The async form of `count(in:)`.
    public func count(in store: Store) async throws -> Int { try await store.read { try count(in: $0) } }
}

extension BoundRecordListQuery {
    /// Returns the record of the first key that has one; nil if there is none.
    @available(*, noasync, message: "await the call")
    public func first() throws -> Record? { try query.first(in: source) }

    /// Returns whether any of the records is stored. No record is decoded.
    @available(*, noasync, message: "await the call")
    public func exists() throws -> Bool { try query.exists(in: source) }

    /// Returns the number of records that `resolve()` returns.
    @available(*, noasync, message: "await the call")
    public func count() throws -> Int { try query.count(in: source) }
}

extension BoundRecordListQuery where Source == Store {
    /// The async form of `first()`.
    public func first() async throws -> Record? { try await query.first(in: source) }

    /// The async form of `exists()`.
    public func exists() async throws -> Bool { try await query.exists(in: source) }

    /// The async form of `count()`.
    public func count() async throws -> Int { try await query.count(in: source) }
}
