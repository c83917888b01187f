// The lists of links whose entries in the catalog are lost.

import TroveCoding

extension CatalogType {
    /// Returns the lists of a relation that the type of its links lacks.
    ///
    /// - Parameters:
    ///   - relation: The relation; nil for a type without links.
    ///   - keyPrefix: The prefix of the links.
    func missingLists(of relation: CatalogRelation?, _ keyPrefix: UInt32) -> [IndexDescriptor] {
        lists(of: relation, keyPrefix).filter { $0.isMissing }.map(\.list)
    }

    /// Adds the lists of a relation that the type of its links lacks. They have no entries yet, and they have the
    /// numbers of a new relation's lists where these are free.
    mutating func addMissingLists(of relation: CatalogRelation?, _ keyPrefix: UInt32) {
        for (ordinal, (list, isMissing)) in lists(of: relation, keyPrefix).enumerated() where isMissing {
            let number = UInt32(ordinal) + 1
            indexes[indexes[number] == nil ? number : (indexes.keys.max() ?? 0) + 1] = CatalogIndex(list)
        }
    }

    private func lists(of relation: CatalogRelation?, _ keyPrefix: UInt32) -> [(list: IndexDescriptor, isMissing: Bool)]
    {
        guard let relation else { return [] }
        do throws(StoreError) {
            let schema = try StoredRelation(relation, keyPrefix: keyPrefix, self).schema
            return zip(schema.indexes, indexNumbers(of: schema)).map { list, number in
                (list, number.map { hasIndex(list, $0) } != true)
            }
        } catch {
            // Without a layout of the links, the relation itself is lost.
            return []
        }
    }
}
