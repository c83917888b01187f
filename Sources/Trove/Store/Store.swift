// A store: a single file of typed records, with any number of readers and one writer at a time.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An ordered, transactional store of records in a single file.
///
/// ```swift
/// let store = try Store(path: "people.trove", records: [Person.self])
/// try store.write { context in
///     try context.insert(Person(lastName: "Dallas", firstName: "Korben", age: 45))
/// }
/// ```
///
/// A store is `Sendable`: share it between all threads and tasks. Opening the same file again, under any name, returns
/// another reference to the same store. The file is closed when the last reference is closed with `close()` or
/// released. Several processes can have the file open at once.
public final class Store: Sendable {
    let environment: Environment
    let catalog: Catalog
    let verifiesChecksums: Bool
    let isReadOnly: Bool
    /// The types whose records are migrated.
    let declaredTypes: [any IndexKeyRecord.Type]
    let migrationPolicy: MigrationPolicy
    var allowsOlderLayout: Bool { migrationPolicy.allowsOlderLayout }
    let backgroundWork = BackgroundWork()
    /// Whether a migration may not drop values.
    var refusesLoss: Bool { migrationPolicy.refusesLoss }
    /// The progress reports for the opener, if the policy leaves work for later.
    let reports: MigrationReports?
    /// The tasks of the indexes.
    let tasks: [any StoreTask]
    /// The values that later parts of the program keep for this reference to the store.
    let attachments = Attachments()

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
            at: path, options: options, environmentOptions: environmentOptions, verifying: pages)
        self.init(
            environment, options: options, records: records, migrations: migrations, progress: progress)
        try openRecords(migrations, unless: CancellationFlag(), progress)
    }

    /// Opens the file at a path, and verifies its pages if the options request it.
    static func openFile(
        at path: String, options: StoreOptions, environmentOptions: EnvironmentOptions,
        verifying pages: @escaping (Int, Int) -> Void = { _, _ in }
    ) throws -> Environment {
        let environment = try translatingErrors { try Environment(path: path, options: environmentOptions) }
        if options.verifiesFile, !environmentOptions.isTemporary { try environment.refuseDamagedPages(pages) }
        return environment
    }

    /// Creates the store of an open file. ``openRecords(_:unless:_:)`` comes next.
    init(
        _ environment: Environment, options: StoreOptions, records: [any IndexKeyRecord.Type],
        migrations: MigrationPolicy, progress: (@Sendable (MigrationProgress) -> Void)?
    ) {
        declaredTypes = records.withRelatedTypes
        migrationPolicy = migrations
        self.environment = environment
        reports = migrations.leavesWork ? progress.map(MigrationReports.init) : nil
        let path = environment.path
        let isTemporary = environment.options.isTemporary
        catalog = environment.shared.attachment {
            Catalog(
                path: path, isTemporary: isTemporary, externalChanges: options.externalChanges,
                slowQueryThreshold: options.slowQueryThreshold, supportedFeatures: options.supportedFeatures,
                keptLiveObjects: options.keptLiveObjects)
        }
        verifiesChecksums = options.verifiesChecksums
        isReadOnly = options.isReadOnly
        let types = declaredTypes
        tasks = IndexKind.all.compactMap { ($0.maintainer as? any TaskMaintainer)?.task(for: types, options) }
        watchReads(options)
        references.add(self)
    }

    /// Creates another reference to the file of a store. The file is closed for both at once, and stays open until both
    /// are released.
    init(sharing other: Store) {
        environment = other.environment
        catalog = other.catalog
        verifiesChecksums = other.verifiesChecksums
        isReadOnly = other.isReadOnly
        declaredTypes = other.declaredTypes
        migrationPolicy = other.migrationPolicy
        reports = nil
        tasks = []
    }

    /// Reads the catalog, and compares it with the declared types.
    func openRecords(
        _ policy: MigrationPolicy, unless isCancelled: CancellationFlag,
        _ progress: (@Sendable (MigrationProgress) -> Void)?
    ) throws {
        if declaredTypes.isEmpty {
            try readToEnd { _ in }
        } else {
            try openTypes(policy, unless: isCancelled, progress)
        }
        for task in tasks { task.start(self) }
    }

    deinit { for task in tasks { task.stop() } }

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

    /// Returns an unused path in the directory for temporary files.
    static func temporaryPath() -> String {
        let name = "trove-" + UUID().uuidString
        return FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    }

    /// The canonical path of the store's file.
    public var path: String { environment.path }

    /// The random identifier of this store and of its copies.
    public var identifier: UUID {
        get throws { try readToEnd { context in try context.catalogStorage().storeEntry().identifier } }
    }

    /// The number of commits with changes in the history of this store.
    ///
    /// Each such commit increments the number by 1, even if a compacting copy has reset LMDB's own count. Async writes
    /// with a shared commit count once. After a
    /// ``StoreError/TransactionError/commitFailed(path:outcome:sequence:reason:)`` with an unknown outcome, the number
    /// shows whether the commit took effect.
    public var commitSequence: UInt64 {
        get throws { try readToEnd { context in try context.catalogStorage().number(.commitSequence) } }
    }

    /// Throws if this reference was opened read-only, even if another reference in the process was not.
    func checkIsWritable() throws(StoreError) {
        if isReadOnly { throw .transaction(.readOnly(path: path)) }
    }

    /// Throws if ``close()`` was called.
    func checkIsOpen() throws {
        try translatingErrors { try environment.checkIsOpen() }
    }
}
