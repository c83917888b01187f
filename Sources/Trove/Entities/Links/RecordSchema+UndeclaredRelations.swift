// The relations that a program does not know: it can read the records of their types, but not write them.

import TroveCoding

extension RecordSchema {
    /// Returns the stored relations that are properties of the type, and that the schema does not declare, such as
    /// `relation(chat)`.
    ///
    /// A one-way relation that leads to the type is not a property of it. Deletes of entities remove its links by what
    /// the catalog says. Deletes of plain records do not, so for a type that is not an entity, such a relation is
    /// returned too, as `incoming relation(Message.author)`.
    ///
    /// - Throws: ``StoreError/relationMismatch(type:relation:inverse:)``.
    func undeclaredRelations(among relations: [UInt32: StoredRelation]) throws -> [String] {
        var names: Set<String> = []
        for stored in try undeclared(among: relations) {
            names.formUnion(properties(in: stored.relation).map { "relation(\($0))" })
        }
        if entity == nil {
            names.formUnion(relations.values.filter(isTarget(of:)).map { "incoming relation(\($0.schema.name))" })
        }
        return names.sorted()
    }

    /// Returns the stored relations that are properties of the type, and that the schema does not declare.
    func undeclared(among relations: [UInt32: StoredRelation]) throws -> [StoredRelation] {
        let candidates = relations.values.filter { !properties(in: $0.relation).isEmpty }
        if candidates.isEmpty { return [] }
        let ends = try entity?.type.relationEnds() ?? []
        let declared = Set(ends.compactMap { $0.links.find(among: relations.values)?.schema.keyPrefix })
        return candidates.filter { !declared.contains($0.schema.keyPrefix) }
            .sorted { $0.schema.keyPrefix < $1.schema.keyPrefix }
    }

    /// Returns the stored names of the type's properties that are ends of a relation.
    func properties(in relation: CatalogRelation) -> [String] {
        LinkSide.allCases.filter { relation[$0].keyPrefix == keyPrefix }.compactMap { relation[$0].property }
    }

    /// Returns whether a one-way relation leads to the type.
    private func isTarget(of stored: StoredRelation) -> Bool {
        LinkSide.allCases.contains {
            stored.relation[$0].keyPrefix == keyPrefix && stored.relation[$0].property == nil
        }
    }
}
