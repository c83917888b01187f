// New records under new ids.

import TroveCoding

extension IndexKeyRecord where IndexKey == AutoID {
    /// Stores a new record under a new id, and returns its live object.
    ///
    /// ```swift
    /// let post = try Post.create(in: store) { Post(id: $0, title: "Fairy tale") }
    /// ```
    ///
    /// If a record with the id is stored already, the closure is called again, with another id.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - make: Returns the record with an id.
    /// - Throws: The errors of `create(_:in:)`, and the errors of the closure.
    @available(*, noasync, message: "await the call")
    public static func create(in store: Store, _ make: (AutoID) throws -> Self) throws -> Live<Self> {
        try withFreeID(make) { try create($0, in: store) }
    }

    /// Stores a new record under a new id in a write transaction, and returns its live object.
    ///
    /// If a record with the id is stored already, the closure is called again, with another id.
    ///
    /// - Parameters:
    ///   - context: The context of the transaction.
    ///   - make: Returns the record with an id.
    /// - Throws: The errors of `create(_:in:)`, and the errors of the closure.
    @available(*, noasync, message: "call it in the closure of a write")
    public static func create(in context: TransactionContext, _ make: (AutoID) throws -> Self) throws -> Live<Self> {
        try withFreeID(make) { try create($0, in: context) }
    }

    /// The async form of ``create(in:_:)-(Store,_)``.
    public static func create(
        in store: Store, _ make: @escaping @Sendable (AutoID) throws -> Self
    ) async throws -> Live<Self> {
        try await withFreeID(make) { try await create($0, in: store) }
    }

    /// Calls a closure with records, until the id of one is free.
    private static func withFreeID<R>(_ make: (AutoID) throws -> Self, _ store: (Self) throws -> R) throws -> R {
        var id = AutoID()
        while true {
            let record = try make(id)
            do {
                return try store(record)
            } catch let error as StoreError where record.isTaken(id, error) {
                id = .leavingGap()
            }
        }
    }

    /// The async form of the above.
    private static func withFreeID<R>(
        _ make: (AutoID) throws -> Self, _ store: (Self) async throws -> R
    ) async throws -> R {
        var id = AutoID()
        while true {
            let record = try make(id)
            do {
                return try await store(record)
            } catch let error as StoreError where record.isTaken(id, error) {
                id = .leavingGap()
            }
        }
    }

    /// Returns whether an error says that another record has this record's new id.
    private func isTaken(_ id: AutoID, _ error: StoreError) -> Bool {
        guard indexKey == id, case .record(.keyExists(let type, let key)) = error else { return false }
        return type == Self.schema.name && key == Self.schema.storedKey(KeyWriter.bytes(of: id))
    }
}
