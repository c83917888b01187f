// A commit in the history of a store.

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A commit in the history of a store, with the keys of all records that it has changed.
public struct HistoryCommit: Sendable {
    /// The number of the commit, as in ``Store/commitSequence``. Commits without changes of records are left out,
    /// except the first commit of a history.
    public let sequence: UInt64
    /// The time of the commit, by the clock of the program that made it.
    public let date: Date
    /// The author of the changes, as given to `write(author:_:)`.
    public let author: String?
    /// The position after the commit.
    public let token: HistoryToken
    /// The changes, in the order of types and keys.
    let entries: [HistoryEntry]
    /// Whether the commit has further changes, which were not read.
    package let isCut: Bool
    /// The size of the rows that were read, in bytes.
    package let readBytes: Int
    private let snapshot: CatalogSnapshot
    private let catalog: Catalog

    /// - Parameter rows: The rows of the commit that were read, of which the first has the part 0.
    init(_ rows: [HistoryRow], store: UUID, _ entries: [HistoryEntry], isCut: Bool, in context: ReadContext) {
        let head = rows[0]
        sequence = head.commit
        date = head.savedAt
        author = head.author
        token = HistoryToken(store: store, commit: head.commit, identifier: head.identifier)
        self.entries = entries
        self.isCut = isCut
        readBytes = rows.reduce(0) { $0 + $1.changes.count }
        snapshot = context.catalogSnapshot
        catalog = context.catalog
    }

    /// The names of the changed types, with their modules. Links are changes of a type of their own.
    public var types: [String] {
        var names: [String] = []
        var last: UInt32?
        for entry in entries where entry.keyPrefix != last {
            last = entry.keyPrefix
            if let type = storedType(entry.keyPrefix) { names.append(type.qualifiedName) }
        }
        return names
    }

    /// Returns the changes of the records of a type, in the order of their keys.
    ///
    /// Each record is listed once, with what the whole transaction has done to it: a record that was inserted and then
    /// updated is inserted, and a record that was inserted and then deleted is not listed.
    ///
    /// - Throws: ``StoreError`` for keys that the type cannot read.
    /// - Complexity: O(*n*) in the number of changes of the commit.
    public func changes<Record: IndexKeyRecord>(of type: Record.Type) throws -> [HistoryChange<Record>] {
        let schema = Record.schema
        let own = entries.filter { $0.keyPrefix == schema.keyPrefix }
        if own.isEmpty { return [] }
        let keyLayouts = keyLayouts(of: schema)
        // Keys from before a migration to other keys.
        if own.contains(where: { $0.kind == .any || !keyLayouts.contains($0.keyLayout) }) { return [.any] }
        let hasTombstones = own.contains { $0.tombstone != nil }
        let table = hasTombstones ? try snapshot.table(for: schema, catalog, verifiesChecksums: false) : nil
        let type = storedType(schema.keyPrefix)
        var layouts = ParsedLayouts()
        return try own.map { entry in
            let key = try Record.key(entry.key)
            return switch entry.kind {
            case .inserted: .inserted(key)
            case .deleted: .deleted(key, HistoryTombstone(entry, table) { layouts.layout($0, of: type) })
            case .updated, .any: .updated(key)
            }
        }
    }

    /// Returns the hashes of the layouts that the keys of a type have had, if its keys are still the same.
    private func keyLayouts(of schema: RecordSchema) -> Set<UInt32> {
        let type = storedType(schema.keyPrefix)
        let texts = type?.layouts.values.map { $0.text.prefix { $0 != "{" } }.map(String.init) ?? []
        let own = texts + [schema.keyLayout] + (type.map { [$0.keyLayout] } ?? [])
        return Set(own.filter(schema.hasKey(of:)).map(SDBM.hash32))
    }

    func storedType(_ keyPrefix: UInt32) -> CatalogType? { snapshot.recordTable(keyPrefix)?.type }
}
