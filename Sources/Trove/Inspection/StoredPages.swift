// The use of the pages of a store's file, with the names of types and indexes.

import LMDB

/// The owner of pages of a store's file.
package enum PageOwner: Hashable, Sendable {
    /// The records of a type.
    case records(type: String)
    /// The links of a relation.
    case links(relation: String)
    /// The entries of an index.
    case index(type: String, name: String)
    /// A table of a full-text index, such as `words`.
    case fullText(type: String, name: String, part: String)
    /// The numbers of the records of a type, for its full-text indexes.
    case recordNumbers(type: String)
    /// The tables that a migration of a type uses, or has emptied.
    case migration(type: String)
    /// The catalog: types, layouts and indexes.
    case catalog
    /// The tree with the names of the tables.
    case tables
    /// The lists of free pages.
    case freeList
    /// A table that the catalog does not know.
    case other(table: String)

    /// The name of the type; nil for pages of no type.
    package var type: String? {
        switch self {
        case .records(let type), .index(let type, _), .fullText(let type, _, _), .recordNumbers(let type),
            .migration(let type):
            type
        case .links, .catalog, .tables, .freeList, .other: nil
        }
    }
}

extension PageOwner: CustomStringConvertible {
    /// The owner as a person names it.
    package var description: String {
        switch self {
        case .records(let type): "records of \(type)"
        case .links(let relation): "links of \(relation)"
        case .index(let type, let name): indexName(name, of: type)
        case .fullText(let type, let name, let part): "\(indexName(name, of: type)), \(part)"
        case .recordNumbers(let type): "record numbers of \(type)"
        case .migration(let type): "migration of \(type)"
        case .catalog: "catalog"
        case .tables: "names of tables"
        case .freeList: "free list"
        case .other(let table): "table \(table)"
        }
    }
}

/// The use of the pages of a store's file in its last commit.
package struct StoredPages: Sendable {
    /// The use of each page, and sums by table.
    package let usage: PageUsage
    /// The owners of ``PageUsage/tables``, in their order.
    package let owners: [PageOwner]
    /// The size of the file's used part in bytes.
    package var size: Int { usage.pages * usage.pageSize }
}

extension ReadContext {
    /// Returns the use of each page of the file.
    ///
    /// The pages are of the last commit, which may be later than this snapshot. The snapshot keeps them meanwhile.
    ///
    /// - Parameters:
    ///   - cellLimit: The limit of the number of cells: a larger file has several pages in a cell.
    ///   - progress: Receives the number of pages done, and the total. An error ends the walk.
    /// - Throws: ``StoreError``, also if another file has the store's name now; the error of `progress`.
    /// - Complexity: O(*n*) in the number of pages. The memory is a few bits for each page, and 24 bytes for each cell.
    package final func pageUsage(
        cellLimit: Int = PageUsage.cellLimit,
        progress: @escaping (_ pages: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> StoredPages {
        try translatingErrors {
            func walk() throws -> PageUsage {
                try PageUsage(core.path, cellLimit: cellLimit) { [keyspace] done, total in
                    // A snapshot that was ended no longer keeps the pages.
                    try keyspace.check()
                    try progress(done, total)
                }
            }
            let usage = try core.environment?.readingNamedFile(walk) ?? walk()
            return StoredPages(usage: usage, owners: usage.tables.map { pageOwner(ofTable: $0.name) })
        }
    }

    private final func pageOwner(ofTable table: String) -> PageOwner {
        switch table {
        case FileFinding.freePages: return .freeList
        case FileFinding.tables: return .tables
        case CatalogStorage.name: return .catalog
        default: break
        }
        guard let name = TableName(table), let stored = catalogSnapshot.recordTable(name.keyPrefix) else {
            return .other(table: table)
        }
        let type = stored.type.qualifiedName
        switch name.table {
        case .records:
            if name != stored.name { return .migration(type: type) }
            guard let relation = relations[name.keyPrefix]?.relation else { return .records(type: type) }
            let links = StoredLinks(relation) { catalogSnapshot.recordTable($0)?.type.qualifiedName }
            return .links(relation: links.name)
        case .recordNumbers: return .recordNumbers(type: type)
        default:
            guard let index = stored.type.indexes[name.table.rawValue] else { return .other(table: table) }
            if name.generation != 0 { return .migration(type: type) }
            return index.partName(name.part).map { .fullText(type: type, name: index.text, part: $0) }
                ?? .index(type: type, name: index.text)
        }
    }
}

extension Store {
    /// Runs a long walk in a snapshot on a background thread, where other reads do not wait for it.
    ///
    /// When the task is cancelled, the snapshot ends, and all uses of the context throw.
    ///
    /// - Throws: The errors of a read, and the closure's error.
    package func readLong<R: Sendable>(_ body: @escaping @Sendable (ReadContext) throws -> R) async throws -> R {
        try await read(on: Self.migrators, body)
    }
}
