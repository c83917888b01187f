// The relations that a program does not know: it can read the records of their types, but not write them.

import TroveCoding

extension RecordSchema {
    /// Returns the stored relations that are properties of the type, and that the schema does not declare, such as
    /// `relation(chat)`.
    ///
    /// A one-way relation that leads to the type is no property of it. Deletes of entities remove its links by what the
    /// catalog says. Deletes of plain records do not, so for a type that is not an entity, such a relation is returned
    /// too, as `incoming relation(Message.author)`.
    ///
    /// - Throws: ``StoreError/relationMismatch(type:relation:inverse:)``.
    func undeclaredRelations(among relations: [UInt32: StoredRelation]) throws -> [String] {
        var names: Set<String> = []
        for stored in relations.values {
            for side in LinkSide.allCases where stored.relation[side].keyPrefix == keyPrefix {
                guard let property = stored.relation[side].property else {
                    if entity == nil { names.insert("incoming relation(\(stored.schema.name))") }
                    continue
                }
                let declared = try entity?.type.relationEnds() ?? []
                if !declared.contains(where: { $0.links.side(.first, in: stored.relation) != nil }) {
                    names.insert("relation(\(property))")
                }
            }
        }
        return names.sorted()
    }
}
