// The catalog of a store in this process, shared by every `Store` for the file.
//
// Each transaction uses the valid catalog snapshot for its own state of the store. If a catalog snapshot is taken
// before a transaction begins, that transaction can use the handles of all its tables.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The latest snapshot of a store's catalog, and the types used by this process.
final class Catalog: Sendable {
    /// A catalog snapshot, and the last transaction that can use it for certain.
    struct View {
        var snapshot = CatalogSnapshot()
        var transaction = -1
    }

    private struct State {
        var latest = View()
        /// For each prefix, the first schema used by this process.
        var declared: [UInt32: RecordSchema] = [:]
    }

    /// The observation of this process's commits.
    let hub = ChangeHub()
    /// The counts of this process's writes.
    let counters = WriteCounters()
    /// The duration from which a query is logged; nil for no log.
    let slowQueryThreshold: Duration?
    /// The features of the format that this program has.
    let supportedFeatures: Set<StoreFeature>
    /// How observers learn of the commits of other processes.
    let externalChanges: ExternalChanges
    /// The values that later parts of the program keep for the file.
    let attachments = Attachments()
    /// The number of live objects to keep for reuse.
    let keptLiveObjects: Int
    /// Whether commits may store hints for other processes: not in a temporary store, and not in a program without the
    /// feature.
    let mayStoreRecentChanges: Bool
    /// Whether there are other processes to store hints for.
    let otherReaders = OtherReaders()
    private let path: String
    private let state = Monitor(State())
    /// The hints stored by the last commit of this process, and the number of its transaction.
    private let recentChanges = Monitor<(changes: RecentChanges, transaction: Int)?>(nil)

    /// Creates the catalog by the options of the process's first open of the store.
    ///
    /// - Parameters:
    ///   - path: The store's file, for errors.
    ///   - isTemporary: Whether no other process can open the store.
    init(
        path: String, isTemporary: Bool, externalChanges: ExternalChanges, slowQueryThreshold: Duration?,
        supportedFeatures: Set<StoreFeature>, keptLiveObjects: Int
    ) {
        self.path = path
        self.externalChanges = isTemporary ? .never : externalChanges
        mayStoreRecentChanges = !isTemporary && supportedFeatures.contains(.changeHints)
        self.slowQueryThreshold = slowQueryThreshold
        self.supportedFeatures = supportedFeatures
        self.keptLiveObjects = keptLiveObjects
    }

    /// The initial view of a new transaction.
    var latest: View { state.withLock { $0.latest } }

    /// Returns the valid view for a transaction.
    ///
    /// - Parameters:
    ///   - transaction: The number of the transaction's commit.
    ///   - known: A view from before the transaction began.
    /// - Throws: `LMDBError` with `databaseNotUsable` if a table's handle must be opened first. Then the transaction
    ///   has to begin again.
    @inline(__always)
    func view(
        at transaction: Int, known: View, _ keyspace: @autoclosure () -> Keyspace, _ environment: SharedEnvironment
    ) throws -> View {
        if known.transaction == transaction { return known }
        return try load(at: transaction, known.snapshot, keyspace(), environment)
    }

    private func load(
        at transaction: Int, _ known: CatalogSnapshot, _ keyspace: Keyspace, _ environment: SharedEnvironment
    ) throws -> View {
        let snapshot = try CatalogSnapshot.stored(
            in: keyspace, environment, unlessStill: known, supporting: supportedFeatures)
        let view = View(snapshot: snapshot, transaction: transaction)
        note(view)
        return view
    }

    /// Stores a valid view as the latest. A later view is kept, because snapshots end in any order.
    func note(_ view: View) {
        state.withLock { state in
            if view.transaction > state.latest.transaction { state.latest = view }
        }
    }

    /// Keeps the hints stored by a commit, for the next commit.
    func keep(_ changes: RecentChanges?, after transaction: Int) {
        guard let changes else { return }
        recentChanges.withLock { $0 = (changes, transaction) }
    }

    /// Returns the hints stored by the last commit, if this process knows them, and forgets them: after a failed
    /// commit, they are read from the store.
    func takeRecentChanges(before transaction: Int) -> RecentChanges? {
        recentChanges.withLock { known in
            defer { known = nil }
            return known.flatMap { $0.transaction == transaction - 1 ? $0.changes : nil }
        }
    }

    /// The types used by this process: for each prefix, the first one.
    var usedSchemas: [RecordSchema] {
        state.withLock { $0.declared.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// The number of types used by this process.
    var usedSchemaCount: Int { state.withLock { $0.declared.count } }

    /// Returns whether another type of this process has a schema's prefix.
    func isTaken(by schema: RecordSchema) -> Bool {
        let first = state.withLock { $0.declared[schema.keyPrefix] }
        return first.map { !$0.isSameDeclaration(as: schema) } ?? false
    }

    /// Throws for a second type of this process with the same prefix, for a type with invalid indexes, and for records
    /// that the store does not keep.
    func declare(_ schema: RecordSchema, in snapshot: CatalogSnapshot) throws {
        try schema.checkIsKept()
        if let index = schema.repeatedIndex {
            throw StoreError.schema(.indexDeclaredTwice(type: schema.name, index: index))
        }
        for index in schema.indexes {
            guard let limit = index.kind.propertyLimit, !(1...limit ~= index.properties.count) else { continue }
            throw StoreError.schema(.wrongNumberOfTexts(type: schema.name, index: index.text, limit: limit))
        }
        if let index = schema.indexOfJSON { throw StoreError.schema(.indexOfJSON(type: schema.name, index: index)) }
        for layout in [schema.layout] + schema.elementLayouts {
            do throws(CodingError) {
                _ = try RecordLayout(layout)
            } catch {
                throw StoreError.schema(.layoutMalformed(type: schema.name, layout: layout, reason: error))
            }
        }
        // A type that contradicts the stored type does not claim the prefix.
        if let stored = snapshot.recordTable(schema.keyPrefix)?.type {
            try checkIdentity(schema, against: stored, in: snapshot)
        }
        let first = state.withLock { state in
            var first = state.declared[schema.keyPrefix] ?? schema
            // The layout of links follows the layouts of their ends.
            if first.isOfLinks, schema.isOfLinks { first = schema }
            state.declared[schema.keyPrefix] = first
            return first
        }
        guard first.isSameDeclaration(as: schema) else {
            throw prefixTaken(schema, by: first.qualifiedName, in: snapshot)
        }
    }

    /// Throws for a type that contradicts the type stored under its prefix.
    func check(_ schema: RecordSchema, against type: CatalogType, in snapshot: CatalogSnapshot) throws {
        try checkIdentity(schema, against: type, in: snapshot)
        guard schema.hasKey(of: type.keyLayout) else {
            if type.isNewer(than: schema) { throw newer(type, than: schema) }
            throw StoreError.schema(
                .keyLayoutChanged(path: path, type: schema.name, stored: type.keyLayout, declared: schema.keyLayout))
        }
    }

    /// Throws for a type whose name or version is taken.
    func checkIdentity(_ schema: RecordSchema, against type: CatalogType, in snapshot: CatalogSnapshot) throws {
        if schema.hasAutomaticPrefix, type.qualifiedName != schema.qualifiedName {
            throw prefixTaken(schema, by: type.qualifiedName, in: snapshot)
        }
        if let stored = type.layouts[schema.fieldsVersion]?.text, stored != schema.layout {
            throw StoreError.schema(
                .layoutChanged(
                    path: path, type: schema.name, version: schema.fieldsVersion, stored: stored,
                    declared: schema.layout))
        }
    }

    /// Creates the error for a program without a type's newest layout, or without all of its indexes and relations.
    ///
    /// A newer layout hinders first: the error names undeclared indexes only without one.
    ///
    /// - Parameter allowingOlderLayout: Whether the program may return to its older layout.
    func newer(
        _ type: CatalogType, than schema: RecordSchema, _ relations: [String] = [], allowingOlderLayout: Bool = false
    ) -> StoreError {
        let newest = type.newestVersion.flatMap { type.layouts[$0]?.text } ?? ""
        let isOlder = type.hasNewerLayout(than: schema) && !allowingOlderLayout
        let undeclared = isOlder ? [] : type.undeclaredIndexes(by: schema).values.map(\.text).sorted()
        return .schema(
            .schemaNewer(
                path: path, type: schema.name, stored: newest, declared: schema.layout,
                undeclaredIndexes: undeclared + relations))
    }

    /// Creates the error for a type whose prefix is taken, with the next free prefix.
    private func prefixTaken(_ schema: RecordSchema, by other: String, in snapshot: CatalogSnapshot) -> StoreError {
        let declared = state.withLock { $0.declared }
        var free = schema.keyPrefix &+ 1
        while snapshot.hasType(free) || declared[free] != nil { free &+= 1 }
        return .schema(
            .prefixTaken(
                path: path, prefix: schema.keyPrefix, type: schema.qualifiedName, by: other, free: free,
                isDeclared: declared[schema.keyPrefix].map { !$0.isSameDeclaration(as: schema) } ?? false,
                isEntity: schema.isOfEntities))
    }
}

extension RecordSchema {
    fileprivate func isSameDeclaration(as other: RecordSchema) -> Bool {
        self === other || (fileID == other.fileID && name == other.name && layout == other.layout)
    }

    /// Throws for the records of a type that follows an entity type without the argument to keep them.
    ///
    /// - Throws: ``StoreError/EntityError/notKept(type:option:)``.
    func checkIsKept() throws(StoreError) {
        guard let missingOption else { return }
        throw .entity(.notKept(type: String(name.prefix { $0 != "~" }), option: missingOption))
    }
}
