// The indexes and relations of the new store: indexes are empty, and lists are built from the copied links.

import LMDB
import TroveCoding

extension SalvageWriter {
    /// Empties the indexes of the types as before a build, and builds the lists of links. Keeps the relations whose
    /// links can be read.
    func buildIndexes(of types: inout SalvagedTypes) throws {
        for (prefix, type) in types.known {
            var type = type
            type.addMissingLists(of: catalog.relations[prefix], prefix)
            // The record numbers of the damaged store are given up with its indexes.
            try keyspace.createIndexes(of: &type, prefix)
            for (number, index) in type.indexes where index.kind == .list {
                try build(number, of: &type, prefix, &types.losses)
            }
            types.known[prefix] = type
            try addRelation(prefix, type, to: &types)
        }
    }

    private func build(
        _ number: UInt32, of type: inout CatalogType, _ prefix: UInt32, _ losses: inout [String]
    ) throws {
        guard let index = type.indexes[number] else { return }
        let name = TableName(keyPrefix: prefix, generation: type.generation)
        do {
            var build = try ListBuild(index, of: type, table: name, in: keyspace, number: number)
            while try build.writeChunk(keyspace) { try commit() }
            type.indexes[number]?.state = .readable
        } catch let error as StoreError {
            losses.append("\(index.text) of \(type.qualifiedName): \(error)")
        }
    }

    /// A relation whose entry is lost is entered again by its program: the type of its links has all of it.
    private func addRelation(_ prefix: UInt32, _ type: CatalogType, to types: inout SalvagedTypes) throws {
        guard let relation = catalog.relations[prefix] else { return }
        do throws(StoreError) {
            _ = try StoredRelation(relation, keyPrefix: prefix, type)
            types.relations[prefix] = relation
        } catch {
            types.losses.append("the relation \(type.qualifiedName): \(error)")
        }
    }
}
