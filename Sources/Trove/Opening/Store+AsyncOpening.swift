// The async forms of opening a store.

import LMDB

extension Store {
    /// The async form of `init(path:records:migrations:options:progress:)`, on a background thread.
    ///
    /// - Parameters:
    ///   - path: The path of the store's file, or of a directory for its files.
    ///   - records: The program's record types in this store.
    ///   - migrations: The time at which records of older layouts are rewritten; see ``MigrationPolicy``.
    ///   - options: The options of the store; see ``StoreOptions``.
    ///   - progress: Receives the progress of a migration, on a background thread.
    /// - Throws: The errors of the synchronous form; `CancellationError` if the task is cancelled: completed
    ///   batches of a migration stay committed.
    public convenience init(
        path: String, records: [any IndexKeyRecord.Type] = [], migrations: MigrationPolicy = .onOpen,
        options: StoreOptions = StoreOptions(), progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) async throws {
        try await self.init(
            path: path, options: options, try options.environmentOptions(), records: records, migrations: migrations,
            progress)
    }

    /// The async form of `temporary(records:options:)`.
    public static func temporary(
        records: [any IndexKeyRecord.Type] = [], options: StoreOptions = StoreOptions()
    ) async throws -> Store {
        try await Store(
            path: temporaryPath(), options: options, try options.environmentOptions(isTemporary: true),
            records: records, migrations: .onOpen, nil)
    }

    private convenience init(
        path: String, options: StoreOptions, _ environmentOptions: EnvironmentOptions,
        records: [any IndexKeyRecord.Type], migrations: MigrationPolicy,
        _ progress: (@Sendable (MigrationProgress) -> Void)?
    ) async throws {
        let environment = try await Self.inBackground { isCancelled in
            try Self.openFile(
                at: path, options: options, environmentOptions: environmentOptions, unless: isCancelled, progress)
        }
        self.init(
            environment, options: options, declaredTypes: records.withRelatedTypes, migrations: migrations,
            progress: progress)
        // The thread gives the store up before the task goes on. After an error, the next opening would meet its types.
        let opening = Monitor<Store?>(self)
        try await Self.inBackground { isCancelled in
            let store = opening.withLock { $0.take() }
            try store?.openRecords(migrations, unless: isCancelled, progress)
        }
    }
}
