// What a process knows of a store's types, shared by all who have the store open there.
//
// Each transaction works with the image of the catalog that holds for its own snapshot. Asked for before a transaction
// begins, an image names only tables whose handles that transaction can use.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The latest image of a store's catalog, and the types that this process uses.
final class Catalog: Sendable {
    /// An image, and the last transaction for which it is known to hold.
    struct View {
        var image = CatalogSnapshot()
        var transaction = -1
    }

    private struct State {
        var latest = View()
        /// The first schema that this process used for each prefix.
        var declared: [UInt32: RecordSchema] = [:]
    }

    /// Those who are told of this process's commits.
    let observers = CommitObservers()
    private let path: String
    private let state = Monitor(State())

    /// - Parameter path: The store's file, for errors to name.
    init(path: String) { self.path = path }

    /// What a transaction that begins afterwards starts from.
    var latest: View { state.withLock { $0.latest } }

    /// The view that holds for a transaction.
    ///
    /// - Parameters:
    ///   - transaction: The number of the commit that it sees.
    ///   - known: A view from before it began.
    /// - Throws: `LMDBError` with `databaseNotUsable` when the handle of a table must be opened first, and the
    ///   transaction begun anew.
    @inline(__always)
    func view(
        at transaction: Int, known: View, _ keyspace: @autoclosure () -> Keyspace, _ environment: SharedEnvironment
    ) throws -> View {
        if known.transaction == transaction { return known }
        return try load(at: transaction, known.image, keyspace(), environment)
    }

    private func load(
        at transaction: Int, _ known: CatalogSnapshot, _ keyspace: Keyspace, _ environment: SharedEnvironment
    ) throws -> View {
        let image = try CatalogSnapshot.stored(in: keyspace, environment, unlessStill: known)
        let view = View(image: image, transaction: transaction)
        note(view)
        return view
    }

    /// Notes that a view holds. A later one stays: snapshots end in any order.
    func note(_ view: View) {
        state.withLock { state in
            if view.transaction > state.latest.transaction { state.latest = view }
        }
    }

    /// Refuses a second type of this process that claims a prefix, and a type with tables that cannot be.
    func declare(_ schema: RecordSchema, in image: CatalogSnapshot) throws {
        if let table = schema.repeatedTable {
            throw StoreError.indexDeclaredTwice(type: schema.name, index: table)
        }
        if let table = schema.indexOfJSON { throw StoreError.indexOfJSON(type: schema.name, index: table) }
        // Who is refused because of what is stored claims nothing.
        if let stored = image.recordTable(schema.keyPrefix)?.type {
            try checkIdentity(schema, against: stored, in: image)
        }
        let first = state.withLock { state in
            let first = state.declared[schema.keyPrefix] ?? schema
            state.declared[schema.keyPrefix] = first
            return first
        }
        guard first.isSameDeclaration(as: schema) else {
            throw prefixTaken(schema, by: first.qualifiedName, in: image)
        }
    }

    /// Refuses a type that contradicts what is stored under its prefix.
    func check(_ schema: RecordSchema, against type: CatalogType, in image: CatalogSnapshot) throws {
        try checkIdentity(schema, against: type, in: image)
        guard schema.hasKey(of: type.keyLayout) else {
            if type.isNewer(than: schema) { throw newer(type, than: schema) }
            throw StoreError.keyLayoutChanged(
                path: path, type: schema.name, stored: type.keyLayout, declared: schema.keyLayout)
        }
    }

    /// Refuses a type whose name or version is taken.
    func checkIdentity(_ schema: RecordSchema, against type: CatalogType, in image: CatalogSnapshot) throws {
        if schema.hasAutomaticPrefix, type.qualifiedName != schema.qualifiedName {
            throw prefixTaken(schema, by: type.qualifiedName, in: image)
        }
        if let stored = type.layouts[schema.fieldsVersion]?.text, stored != schema.layout {
            throw StoreError.layoutChanged(
                path: path, type: schema.name, version: schema.fieldsVersion, stored: stored, declared: schema.layout)
        }
    }

    /// The error of a program that does not know a type's newest layout, or not all of its indexes.
    func newer(_ type: CatalogType, than schema: RecordSchema) -> StoreError {
        let newest = type.newestVersion.flatMap { type.layouts[$0]?.text } ?? ""
        let undeclared = type.undeclaredIndexes(by: schema).values.map(\.text).sorted()
        return .schemaNewer(
            path: path, type: schema.name, stored: newest, declared: schema.layout, undeclaredIndexes: undeclared)
    }

    /// The error of a type whose prefix is another's, with the next one that no type has.
    private func prefixTaken(_ schema: RecordSchema, by other: String, in image: CatalogSnapshot) -> StoreError {
        let declared = state.withLock { $0.declared }
        var free = schema.keyPrefix &+ 1
        while image.hasType(free) || declared[free] != nil { free &+= 1 }
        return .prefixTaken(
            path: path, prefix: schema.keyPrefix, type: schema.qualifiedName, by: other, free: free)
    }
}

extension RecordSchema {
    fileprivate func isSameDeclaration(as other: RecordSchema) -> Bool {
        self === other || (fileID == other.fileID && name == other.name && layout == other.layout)
    }
}
