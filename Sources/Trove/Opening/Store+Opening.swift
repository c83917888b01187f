// Opens a store: its file, then its catalog, then the migrations of its declared types.

import LMDB
import Logging

extension Store {
    /// Opens the store at a path, and creates it if there is none.
    ///
    /// The declared record types are compared with the stored types. If a type has changed, its records are migrated to
    /// its current layout. No record is written unless all records can be migrated. Other types are compared at their
    /// first use, and each of their records is migrated when it is next written.
    ///
    /// - Parameters:
    ///   - path: The path of the store's file. The lock file has the same path with the suffix `-lock`. A directory is
    ///     refused, unless it has a store in LMDB's own layout, as `data.mdb`.
    ///   - records: The program's record types in this store.
    ///   - migrations: The time at which records of older layouts are rewritten; see ``MigrationPolicy``.
    ///   - options: The options of the store; see ``StoreOptions``.
    ///   - progress: Receives the progress of a migration: on this thread, or, with ``MigrationPolicy/background``, on
    ///     another thread. With ``MigrationPolicy/background`` and ``MigrationPolicy/lazily``, it also receives the
    ///     progress of `Store.finishMigrations(progress:)`: one step at a time, in order.
    /// - Throws: ``StoreError`` with the path: a file of another kind, a missing directory, no permission. For the
    ///   given types: two types with the same prefix, a newer layout in the store than in this program
    ///   (``StoreError/SchemaError/schemaNewer(path:type:stored:declared:undeclaredIndexes:)``), and any error of
    ///   migrating a record, with the key of the first such record.
    /// - Complexity: O(*t*) in the number of record types, whatever the number of records; O(*n*) in the number of
    ///   records of changed types.
    @available(*, noasync, message: "await the call")
    public convenience init(
        path: String, records: [any IndexKeyRecord.Type] = [], migrations: MigrationPolicy = .onOpen,
        options: StoreOptions = StoreOptions(), progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) throws {
        try self.init(
            path: path, options: options, try options.environmentOptions(), records: records, migrations: migrations,
            progress)
    }

    convenience init(
        path: String, options: StoreOptions, _ environmentOptions: EnvironmentOptions,
        records: [any IndexKeyRecord.Type] = [], migrations: MigrationPolicy = .onOpen,
        verifying pages: @escaping (Int, Int) -> Void = { _, _ in },
        _ progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) throws {
        let environment = try Self.openFile(
            at: path, options: options, environmentOptions: environmentOptions, unless: CancellationFlag(), progress,
            verifying: pages)
        self.init(
            environment, options: options, declaredTypes: records.withRelatedTypes, migrations: migrations,
            progress: progress)
        try openRecords(migrations, unless: CancellationFlag(), progress)
    }

    /// Opens the file at a path, converts it if it has the other format of LMDB, and verifies its pages if the options
    /// request it.
    static func openFile(
        at path: String, options: StoreOptions, environmentOptions: EnvironmentOptions,
        unless isCancelled: CancellationFlag, _ progress: (@Sendable (MigrationProgress) -> Void)?,
        verifying pages: @escaping (Int, Int) -> Void = { _, _ in }
    ) throws -> Environment {
        let environment = try translatingErrors {
            try Environment(path: path, options: environmentOptions) { done, total in
                progress?(MigrationProgress(type: "", phase: .converting, done: Int(done), total: Int(total)))
                return !isCancelled.isRaised
            }
        }
        if let conversion = environment.conversion {
            Logger(label: "trove").warning(
                "A store was converted for the loaded liblmdb",
                metadata: [
                    "path": "\(environment.path)", "from": "\(conversion.from)", "to": "\(conversion.to)",
                    "library": "\(Engine.library)",
                ])
        }
        if options.verifiesFile, !environmentOptions.isTemporary { try environment.refuseDamagedPages(pages) }
        return environment
    }

    /// Creates an empty temporary store: its files no longer have names when this returns.
    ///
    /// ```swift
    /// let store = try Store.temporary(records: [Person.self])
    /// ```
    ///
    /// It suits unit tests: each store is independent of all others, and the system frees its space when the store is
    /// closed or released, even if the process is killed.
    ///
    /// - Parameters:
    ///   - records: The program's record types in this store.
    ///   - options: The options of the store. Nothing is flushed to disk, whatever the durability.
    /// - Throws: ``StoreError`` if two types have the same prefix, or if no file can be created.
    @available(*, noasync, message: "await the call")
    public static func temporary(
        records: [any IndexKeyRecord.Type] = [], options: StoreOptions = StoreOptions()
    ) throws -> Store {
        try Store(
            path: temporaryPath(), options: options, try options.environmentOptions(isTemporary: true),
            records: records)
    }

    /// Reads the catalog, and compares it with the declared types.
    func openRecords(
        _ policy: MigrationPolicy, unless isCancelled: CancellationFlag,
        _ progress: (@Sendable (MigrationProgress) -> Void)?
    ) throws {
        let holdsChangesOnly = try readToEnd { $0.catalogSnapshot.features.contains(.changes) }
        // A program would take the changed records for all records.
        if holdsChangesOnly, !isReadOnly { throw StoreError.file(.holdsChangesOnly(path: path)) }
        if !declaredTypes.isEmpty {
            try openTypes(policy, unless: isCancelled, progress)
        }
        try adoptHistory()
        for task in tasks { task.start(self) }
    }
}
