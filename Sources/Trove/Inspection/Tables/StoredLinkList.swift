// The links of a relation in the order of an end, for code that reads entries in place.

import LMDB
import TroveCoding

/// The links of a property of entities: of a relation, in the order of an end.
package struct StoredLinkList: Sendable {
    /// The name of the entity type with its module.
    package let type: String
    /// The stored name of the property.
    package let property: String
    /// The links: records whose keys are the pair of both ends.
    package let table: StoredTable
    /// Whether the key of a link begins with the entity that has the property.
    package let ownerIsFirst: Bool
    /// Whether the relation is its own inverse: then each link is stored in both directions.
    package let isSymmetric: Bool
    /// The field of a link with its position in the list of the property; nil for links without an order.
    package let position: Int?
    /// The entries `owner position target`; nil if the records of the links are in the order of the owners.
    package let list: Database?
    /// The entries `target position owner`; nil if the records of the links are in the order of the targets.
    package let inverseList: Database?
    /// Whether the entries of `inverseList` have a position.
    package let inverseHasPosition: Bool

    fileprivate init(
        _ type: String, _ property: String, _ relation: CatalogRelation, _ side: LinkSide, _ table: StoredTable,
        lists: [Database]
    ) {
        self.type = type
        self.property = property
        self.table = table
        ownerIsFirst = side == .first
        isSymmetric = relation.form.isSymmetric
        position = relation.form.position(on: side)
        func entries(of side: LinkSide) -> Database? {
            relation.form.list(of: side).flatMap { lists.indices.contains($0) ? lists[$0] : nil }
        }
        list = entries(of: side)
        inverseList = entries(of: side.other)
        inverseHasPosition = relation.form.position(on: side.other) != nil
    }
}

extension ReadContext {
    /// Returns the links of all properties of entities, sorted by type and property. Relations that the program
    /// declares, and that have no links yet, have no table in the store.
    ///
    /// - Parameter tables: The tables of the types in this context.
    package final func storedLinkLists(among tables: [StoredTable]) throws -> [StoredLinkList] {
        try translatingErrors {
            let names = Dictionary(tables.map { ($0.keyPrefix, $0.name) }) { first, _ in first }
            var lists: [StoredLinkList] = []
            func add(_ relation: CatalogRelation, _ table: StoredTable, _ databases: [Database]) {
                let sides: [LinkSide] = relation.form.isSymmetric ? [.first] : LinkSide.allCases
                for side in sides {
                    guard let property = relation[side].property, let type = names[relation[side].keyPrefix] else {
                        continue
                    }
                    lists.append(StoredLinkList(type, property, relation, side, table, lists: databases))
                }
            }
            for (prefix, stored) in relations {
                guard let links = try linkTables(stored) else { continue }
                let table = try StoredTable(
                    links.type, TableName(keyPrefix: prefix, generation: links.type.generation),
                    records: links.records, declared: nil, indexes: [])
                add(stored.relation, table, links.lists)
            }
            for schema in catalog.usedSchemas {
                for declared in try schema.tablePart?.declaredLinks() ?? [] where self.stored(declared.links) == nil {
                    let type = names[schema.keyPrefix]
                    // The inverse of a relation has the same links.
                    if lists.contains(where: { $0.type == type && $0.property == declared.name }) { continue }
                    let links = declared.links
                    let table = try StoredTable(
                        CatalogType(
                            RecordSchema(links.relation, name: links.name, keyPrefix: links.keyPrefix, links.layout)),
                        TableName(keyPrefix: links.keyPrefix), records: nil, declared: nil, indexes: [])
                    add(links.relation, table, [])
                }
            }
            return lists.sorted { ($0.type, $0.property) < ($1.type, $1.property) }
        }
    }

    /// Notes that the results of this context depend on each type: on the catalog, or on links that are missing so far.
    package final func noteReadOfAllTypes() { noteMissingLinks() }

    /// Returns the type of the links of a relation, their records, and their lists in the order of the form; nil if
    /// the store has none. Lists that lack links are left out.
    private final func linkTables(
        _ stored: StoredRelation
    ) throws -> (type: CatalogType, records: Database, lists: [Database])? {
        let prefix = stored.schema.keyPrefix
        if let pending = (self as? TransactionContext)?.pendingTable(ofLinks: prefix) {
            let isReady = pending.indexes.allSatisfy(\.isReady)
            return (pending.type, pending.database, isReady ? pending.indexes.map(\.database) : [])
        }
        guard let (type, _, records) = catalogSnapshot.recordTable(prefix) else { return nil }
        let databases = catalogSnapshot.indexes(prefix)
        let lists = type.hasReadyIndexes(of: stored.schema) ? type.currentIndexNumbers(of: stored.schema) ?? [] : []
        return (type, records, lists.compactMap { databases[$0] })
    }
}
