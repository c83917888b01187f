// A store without a file, as a value.

import LMDB

/// Records in memory, as a value: a store without a file that is copied like an array.
///
/// ```swift
/// var chats = MemoryStore()
/// try chats.insert(chat)
/// let before = chats
/// try chats.delete(chat)
/// let stored = try Chat.query("1", in: before).resolve()  // Still there.
/// ```
///
/// It suits snapshots, previews and unit tests. Threads and tasks that change the same records share a
/// `Store.temporary(records:options:)` instead.
///
/// The records lie in a temporary file without a name, which is created by the first write. The system frees its space
/// when the last copy of the value is gone, even if the process is killed. Nothing is flushed to disk.
///
/// Copying the value is free. The next write to one of the copies copies the file.
///
/// In an async function, read by ``reading(_:)``: the short forms would be awaited on a store.
public struct MemoryStore: Sendable {
    /// The records, shared by all copies of the value; nil before the first write.
    private var storage: Storage?

    /// The store of some equal values.
    private final class Storage: Sendable {
        let store: Store

        init(_ store: Store) { self.store = store }
    }

    /// The store that values without any write are read from, created by the first such read.
    private static let empty = SharedStore { try Store.temporary() }

    /// Creates a store without records. No file is created before the first write.
    public init() {}

    /// Creates a store with the records of another store at its last commit.
    ///
    /// Later changes of the other store are not seen, and changes of this store do not reach it.
    ///
    /// - Throws: ``StoreError`` if the store cannot be copied into the directory for temporary files.
    /// - Complexity: O(*n*) in the size of the store.
    @available(*, noasync, message: "await the call")
    public init(copying store: Store) throws { storage = Storage(try store.temporaryCopy()) }

    /// The async form of `init(copying:)`.
    public init(copying store: Store) async throws {
        storage = Storage(try await Store.inBackground(on: Store.migrators) { _ in try store.temporaryCopy() })
    }

    /// Runs a closure in a write transaction: its changes are kept if it returns, and undone if it throws.
    ///
    /// - Parameter body: Runs once, on this thread. Its context is not usable after the closure or on another thread.
    /// - Returns: The closure's result.
    /// - Throws: Any error of the closure; ``StoreError`` if the temporary file cannot be written.
    /// - Complexity: O(*n*) in the size of all records for the first write after the value was copied.
    @discardableResult
    public mutating func writing<R>(_ body: (TransactionContext) throws -> R) throws -> R {
        if isKnownUniquelyReferenced(&storage), let own = storage { return try own.store.write(body) }
        let store = try storage?.store.temporaryCopy() ?? .temporary()
        storage = Storage(store)
        return try store.write(body)
    }
}

extension MemoryStore: RecordReadable {
    /// Runs a closure with a context for reading: a snapshot of the records.
    public func reading<R>(_ body: (ReadContext) throws -> R) throws -> R {
        try (storage?.store ?? Self.empty.store()).read(body)
    }
}

extension Store {
    /// Returns a temporary store with the records of the last commit.
    fileprivate func temporaryCopy() throws -> Store {
        try checkIsOpen()
        var options = StoreOptions(verifiesChecksums: verifiesChecksums, gathersTexts: false)
        options.supportedFeatures = catalog.supportedFeatures
        return try translatingErrors {
            let file = try UnfinishedFile(for: Store.temporaryPath(), mode: options.fileMode)
            try environment.shared.copy(into: file, compacting: false)
            // The name goes when the store is open.
            return try Store(
                path: file.path, options: options, options.environmentOptions(isTemporary: true),
                records: declaredTypes)
        }
    }
}
