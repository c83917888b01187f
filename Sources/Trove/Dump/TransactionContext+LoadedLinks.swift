// Adds the relations of a dump to the catalog, and completes their links.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Adds the relation of dumped links, and its lists without entries.
    ///
    /// - Parameters:
    ///   - type: The type of the links.
    ///   - line: The number of the line, for errors.
    func addRelation(_ links: StoredLinks, of type: inout CatalogType, _ keyPrefix: UInt32, line: Int) throws {
        let name = type.qualifiedName
        func other(_ stored: String) -> LoadError {
            LoadError(line: line, type: name, .otherRelation(stored: stored, dumped: links.description))
        }
        guard let relation = CatalogRelation(links) else {
            throw LoadError(line: line, type: name, .value(field: "form", expected: "a form of links", found: nil))
        }
        if let known = relations[keyPrefix] {
            guard known.relation.isSame(as: relation) else {
                throw other(StoredLinks(known.relation, typeName).description)
            }
            return
        }
        if let known = relations.values.first(where: { $0.relation.identity == relation.identity }) {
            throw other(StoredLinks(known.relation, typeName).description)
        }
        let stored: StoredRelation
        do {
            stored = try StoredRelation(relation, keyPrefix: keyPrefix, type)
        } catch {
            throw LoadError(line: line, type: name, .store(error))
        }
        if type.indexes.isEmpty {
            for (place, list) in stored.schema.indexes.enumerated() {
                let number = UInt32(place) + 1
                let table = TableName(keyPrefix: keyPrefix, table: TableNumber(rawValue: number))
                try keyspace.deleteAll(keyspace.createTable(named: table.text))
                type.indexes[number] = CatalogIndex(list)
                type.indexes[number]?.state = .readable
            }
        }
        try use(.links)
        try catalogStorage().setRelation(keyPrefix, relation)
        pendingRelations[keyPrefix] = stored
    }

    private func typeName(_ keyPrefix: UInt32) -> String? { catalogSnapshot.recordTable(keyPrefix)?.type.qualifiedName }

    /// Builds the lists of loaded links.
    ///
    /// - Throws: ``LoadError`` if an entity has two links in a relation to one.
    func finishLoading(_ keyPrefix: UInt32) throws {
        guard let relation = relations[keyPrefix] else { return }
        try rebuildLinks(keyPrefix)
        guard let type = try catalogStorage().type(keyPrefix) else { return }
        let table = TableName(keyPrefix: keyPrefix, generation: type.generation)
        var check = try LinkCheck(relation, type: type, table: table, in: keyspace, CheckSteps { _, _ in })
        try check.run()
        for difference in check.differences {
            if difference.kind == .secondLink, let existing = difference.other {
                throw LoadError(
                    line: 0, type: type.qualifiedName, .secondLink(difference.key, existing: existing))
            }
        }
    }
}

extension CatalogRelation {
    /// Returns whether a relation is this relation, possibly with other former names of its properties.
    fileprivate func isSame(as other: CatalogRelation) -> Bool {
        form == other.form
            && LinkSide.allCases.allSatisfy {
                self[$0].keyPrefix == other[$0].keyPrefix && self[$0].property == other[$0].property
                    && self[$0].isExclusive == other[$0].isExclusive
            }
    }
}
