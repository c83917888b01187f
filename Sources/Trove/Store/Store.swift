// A store: a single file of typed records, with any number of readers and one writer at a time. It is opened by
// Opening/Store+Opening.swift.

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
    /// The rules for the history that this opening declares.
    let historyPolicy: HistoryPolicy?
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

    /// Creates the store of an open file. `openRecords(_:unless:_:)`, in Opening, comes next.
    init(
        _ environment: Environment, options: StoreOptions, declaredTypes types: [any IndexKeyRecord.Type],
        migrations: MigrationPolicy, progress: (@Sendable (MigrationProgress) -> Void)?
    ) {
        declaredTypes = types
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
        historyPolicy = options.history
        tasks = IndexKind.all.compactMap { ($0.maintainer as? any TaskMaintainer)?.task(for: types, options) }
        watchReads(options)
        references.add(self)
        followApp(options)
    }

    /// Creates another reference to the file of a store. The file is closed for both at once, and stays open until both
    /// are released.
    init(sharing other: Store) {
        environment = other.environment
        catalog = other.catalog
        verifiesChecksums = other.verifiesChecksums
        isReadOnly = other.isReadOnly
        historyPolicy = nil
        declaredTypes = other.declaredTypes
        migrationPolicy = other.migrationPolicy
        reports = nil
        tasks = []
    }

    deinit { for task in tasks { task.stop() } }

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
