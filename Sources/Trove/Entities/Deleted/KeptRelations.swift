// The relations to which the ids in deleted entities belong.
//
// The layout of deleted entities has the names of relations, and not their targets. The catalog knows which relation
// had a name when the ids were stored:
//
//     the relation is declared under another name   the field has the other name
//     the relation is not declared                  the field belongs to no relation of the program
//     the catalog has no relation of the name       the field belongs to the declared relation of the name
//
// As long as a relation is not declared, its entity type is not written, and nothing of it is deleted. So no field has
// ids of two relations.

import TroveCoding

/// The relations of a store, for the conversion of an entity type's deleted entities.
struct KeptRelations: KeptIDs {
    /// An end of a stored relation.
    private struct End {
        var property: String
        var formerNames: [String]
        /// The declared name; nil if the program does not declare the relation.
        var declaredName: String?
        /// Whether a pending migration of the targets gives them other keys, and the ids with them.
        var hasPendingKeys: Bool
    }

    private let ends: [End]

    /// - Parameters:
    ///   - entity: The type of the entities.
    ///   - relations: The relations of the store.
    ///   - snapshot: The types of the store.
    init(
        of entity: any EntityModelProtocol.Type, among relations: [UInt32: StoredRelation],
        in snapshot: CatalogSnapshot
    ) throws {
        let declared = try entity.declaredRelations().compactMap {
            relation -> (prefix: UInt32, side: LinkSide, relation: DeclaredRelation)? in
            guard let stored = relation.links.find(among: relations.values),
                let side = relation.links.side(relation.side, in: stored.relation)
            else { return nil }
            return (stored.schema.keyPrefix, side, relation)
        }
        ends = relations.sorted { $0.key < $1.key }.flatMap { prefix, stored in
            LinkSide.allCases.compactMap { side -> End? in
                let end = stored.relation[side]
                guard end.keyPrefix == entity.schema.keyPrefix, let property = end.property else { return nil }
                if stored.relation.form.isSymmetric, side == .second { return nil }
                let description = declared.first { $0.prefix == prefix && $0.side == side }?.relation.description
                let target = description?.target.schema
                return End(
                    property: property, formerNames: end.formerNames, declaredName: description?.name,
                    hasPendingKeys: target.flatMap { target in
                        snapshot.recordTable(target.keyPrefix).map { !target.hasKey(of: $0.type.keyLayout) }
                    } ?? false)
            }
        }
    }

    /// The changes of the layouts of deleted entities.
    var adaptation: LayoutAdaptation {
        LayoutAdaptation(old: renamed, new: withRules, isAdded: KeptEntities.isAdded)
    }

    /// Returns whether a layout has ids of a relation that the program does not declare.
    func hasForeignIDs(in layout: String) -> Bool {
        do throws(CodingError) {
            let layout = try RecordLayout(layout)
            return layout.fields.contains { field in
                ends(of: field, in: layout).contains { $0.declaredName == nil }
            }
        } catch {
            // The layout of a type is checked when the type is declared.
            return false
        }
    }

    /// Returns the ends of relations to which a field belongs.
    private func ends(of field: LayoutField, in layout: RecordLayout) -> [End] {
        guard let name = KeptEntities.relation(of: field) else { return [] }
        let current = ends.filter { $0.property == name }
        guard current.isEmpty else { return current }
        return ends.filter { end in
            end.formerNames.contains(name)
                && !layout.fields.contains { KeptEntities.relation(of: $0) == end.property }
        }
    }

    /// Returns an old layout with the declared names of relations. The ids of a relation that the program does not
    /// declare get a name that no field has.
    @Sendable private func renamed(_ layout: RecordLayout) -> RecordLayout {
        var result = layout
        for index in layout.fields.indices where KeptEntities.relation(of: layout.fields[index]) != nil {
            result.fields[index].rule.references = ReferenceRule()
            let owners = ends(of: layout.fields[index], in: layout)
            guard let end = owners.first(where: { $0.declaredName == nil }) ?? owners.first else { continue }
            result.fields[index].name =
                end.declaredName.map(KeptEntities.field) ?? layout.fields[index].name + KeptEntities.foreignSuffix
        }
        return result
    }

    /// Returns the new layout with the rules of ids. The migration of the targets counts the ids that it drops.
    @Sendable private func withRules(_ layout: RecordLayout) -> RecordLayout {
        var result = layout
        for index in layout.fields.indices {
            let name = KeptEntities.relation(of: layout.fields[index])
            guard ends.contains(where: { $0.hasPendingKeys && $0.declaredName == name }) else { continue }
            result.fields[index].rule.references?.countsDroppedKeys = false
        }
        return result
    }
}
