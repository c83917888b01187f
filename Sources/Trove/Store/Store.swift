// A store: one file of typed records, open for any number of readers and one writer at a time.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An ordered, transactional store of records in one file.
///
/// ```swift
/// let store = try Store(path: "people.trove", records: [Person.self])
/// try store.write { context in
///     try context.insert(Person(lastName: "Dallas", firstName: "Korben", age: 45))
/// }
/// ```
///
/// A store is `Sendable`: share one between all threads and tasks. Opening the same file again, under whatever name,
/// gives another reference to the same store. The file is closed when the last reference is gone. Several processes
/// can have it open at once.
public final class Store: Sendable {
    let environment: Environment
    let catalog: Catalog
    let verifiesChecksums: Bool
    let isReadOnly: Bool
    /// The types whose records are kept up to date.
    let declaredTypes: [AnyRecordType]
    let allowsOlderLayout: Bool

    /// Opens the store at a path, and creates it where there is none.
    ///
    /// Record types that are given here are compared with what is stored, and where a type has changed since, its records
    /// are brought to its present layout. Nothing is touched unless all of them can be. Other types are compared when
    /// they are first used, and each of their records is migrated when it is next written.
    ///
    /// - Parameters:
    ///   - path: The store's file; a second one with the suffix `-lock` lies beside it. A path that is a directory
    ///     holds both inside.
    ///   - records: Types of records that the program keeps in this store.
    ///   - migrations: When records of older layouts are rewritten; see ``MigrationPolicy``.
    ///   - options: How to open it; see ``StoreOptions``.
    ///   - progress: Receives how far a migration is: on this thread, or, with ``MigrationPolicy/background``, on another
    ///     one.
    /// - Throws: ``StoreError``, which names the path: a file of another kind, a missing directory, no permission. Of the
    ///   types given: two with one prefix, a newer layout in the store than in this program
    ///   (``StoreError/schemaNewer(path:type:stored:declared:undeclaredIndexes:)``), and whatever keeps records from being migrated, with
    ///   the key of the first of them.
    /// - Complexity: O(*t*) in the number of record types, whatever the number of records; O(*n*) in the number of
    ///   records of types that have changed.
    public convenience init(
        path: String, records: [any IndexKeyRecord.Type] = [], migrations: MigrationPolicy = .onOpen,
        options: StoreOptions = StoreOptions(), progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) throws {
        try self.init(
            path: path, options: options, try options.environmentOptions(), records: records, migrations: migrations,
            progress)
    }

    init(
        path: String, options: StoreOptions, _ environmentOptions: EnvironmentOptions,
        records: [any IndexKeyRecord.Type] = [], migrations: MigrationPolicy = .onOpen,
        _ progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) throws {
        declaredTypes = records.map { AnyRecordType($0) }
        allowsOlderLayout = migrations.allowsOlderLayout
        environment = try translatingErrors { try Environment(path: path, options: environmentOptions) }
        let path = environment.path
        catalog = environment.shared.attachment { Catalog(path: path) }
        verifiesChecksums = options.verifiesChecksums
        isReadOnly = options.isReadOnly
        watchReads(options)
        if records.isEmpty { try read { _ in } } else { try openTypes(migrations, progress) }
    }

    /// Makes an empty store that leaves nothing behind: its files have no names any more when this returns.
    ///
    /// - Parameter options: How to open it. Nothing is flushed to disk, whatever the durability.
    public static func temporary(options: StoreOptions = StoreOptions()) throws -> Store {
        let name = "trove-" + UUID().uuidString
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        return try Store(path: path, options: options, try options.environmentOptions(isTemporary: true))
    }

    /// The canonical path of the store's file.
    public var path: String { environment.path }

    /// The random number that tells this store, and its copies, from all others.
    public var identifier: UUID {
        get throws { try read { context in try context.catalogStorage().storeEntry().identifier } }
    }

    /// The number of transactions ever committed to this store that changed something.
    ///
    /// It grows by one with each, also where a compacting copy has reset LMDB's own count. Async writes that shared a
    /// commit count as one. It settles a commit of which
    /// ``StoreError/commitFailed(path:outcome:sequence:reason:)`` says that its outcome is unknown.
    public var commitSequence: UInt64 {
        get throws { try read { context in try context.catalogStorage().number(.commitSequence) } }
    }

    /// Refuses to write where this reference was opened read-only, also when another one in the process was not.
    func checkIsWritable() throws(StoreError) {
        if isReadOnly { throw .readOnly(path: path) }
    }
}
