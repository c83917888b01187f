// The relations that a program does not know: it can read the records of their types, but not write them.

import TroveCoding

/// A property of a type in a stored relation that the type does not declare.
struct UndeclaredRelation {
    let stored: StoredRelation
    /// The end of the type's entities.
    let end: LinkEnd
    /// The end of the other entities.
    let otherEnd: LinkEnd
    /// The stored name of the property.
    let property: String
    /// Whether the type declares the property for another relation.
    let isRedeclared: Bool
    /// The declared relations of the same types that the store does not have. One of them may be this relation, renamed
    /// without a note.
    let possibleNames: [String]

    /// The relation in errors, such as `relation(folder)`, or `relation(folder), perhaps box now`.
    var description: String {
        if isRedeclared { return "relation(\(property)) of another type or inverse" }
        if possibleNames.isEmpty { return "relation(\(property))" }
        return "relation(\(property)), perhaps \(possibleNames.joined(separator: " or ")) now"
    }
}

extension RecordSchema {
    /// Returns the stored relations that are properties of the type, and that the schema does not declare, such as
    /// `relation(chat)`. The result for a type of deleted entities is the result for its entity type: the ids in a
    /// deleted entity follow its relations.
    ///
    /// A one-way relation that leads to the type is not a property of it. Deletes of entities remove its links by its
    /// entry in the catalog. Deletes of plain records do not, so for a type that is not an entity, such a relation is
    /// returned too, as `incoming relation(Message.author)`.
    ///
    /// - Throws: ``StoreError/EntityError/relationMismatch(type:relation:inverse:)``.
    func undeclaredRelations(among relations: [UInt32: StoredRelation]) throws -> [String] {
        if let kept = tablePart?.keptSchema { return try kept.undeclaredRelations(among: relations) }
        var names = Set(try undeclaredProperties(among: relations).map(\.description))
        if !isOfEntities {
            names.formUnion(relations.values.filter(isTarget(of:)).map { "incoming relation(\($0.schema.name))" })
        }
        return names.sorted()
    }

    /// Returns the properties of the type in stored relations that the schema does not declare, in the order of their
    /// names.
    func undeclaredProperties(among relations: [UInt32: StoredRelation]) throws -> [UndeclaredRelation] {
        let undeclared = try undeclared(among: relations)
        if undeclared.isEmpty { return [] }
        let declared = try tablePart?.declaredLinks() ?? []
        let new = declared.filter { $0.links.find(among: relations.values) == nil }
        return undeclared.flatMap { stored in
            LinkSide.allCases.compactMap { side -> UndeclaredRelation? in
                let (end, other) = (stored.relation[side], stored.relation[side.other])
                guard end.keyPrefix == keyPrefix, let property = end.property else { return nil }
                // Each end of a symmetric relation is the same property.
                if stored.relation.form.isSymmetric, side == .second { return nil }
                let names = new.filter { $0.links.relation[$0.side.other].keyPrefix == other.keyPrefix }
                    .map(\.name)
                return UndeclaredRelation(
                    stored: stored, end: end, otherEnd: other, property: property,
                    isRedeclared: declared.contains { $0.name == property }, possibleNames: names)
            }
        }.sorted { ($0.property, $0.stored.schema.keyPrefix) < ($1.property, $1.stored.schema.keyPrefix) }
    }

    /// Returns the stored relations that are properties of the type, and that the schema does not declare.
    func undeclared(among relations: [UInt32: StoredRelation]) throws -> [StoredRelation] {
        let candidates = relations.values.filter { !properties(in: $0.relation).isEmpty }
        if candidates.isEmpty { return [] }
        let own = try tablePart?.declaredLinks() ?? []
        let declared = Set(own.compactMap { $0.links.find(among: relations.values)?.schema.keyPrefix })
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
