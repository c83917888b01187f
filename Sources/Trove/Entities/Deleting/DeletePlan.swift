// The plan for deletes of a type's entities in a transaction: made once for all entities of a cascade.

import LMDB
import TroveCoding

/// The table of an entity type, and the links of its relations, for deletes in a transaction.
final class DeletePlan {
    let type: any EntityModelProtocol.Type
    let schema: RecordSchema
    /// The relations of the type, in the order of their declaration.
    let relations: [Relation]
    /// The links of the one-way relations that lead to the type, and the side of its entities.
    let incoming: [(links: LinkWriter, side: LinkSide)]
    /// The generation of the context's links for which the plan holds.
    let generation: Int
    /// The table of a type without indexes; nil if the store has none.
    private let table: RecordTable?

    /// A relation of the type.
    final class Relation {
        let declared: DeclaredRelation
        /// The links; nil if the store has none.
        let links: LinkWriter?
        /// The side of the type's entities.
        let side: LinkSide
        let rule: Relations.DeleteRule

        init(_ declared: DeclaredRelation, _ context: TransactionContext) throws {
            let stored = try context.linkWriter(of: declared)
            self.declared = declared
            links = stored?.links
            side = stored?.side ?? declared.side
            rule = declared.description.deleteRule
        }
    }

    init(_ type: any EntityModelProtocol.Type, _ context: TransactionContext) throws {
        self.type = type
        schema = type.schema
        table = schema.indexes.isEmpty ? try context.tableForRemoval(schema) : nil
        relations = try type.declaredRelations().map { try Relation($0, context) }
        incoming = try context.incomingLinkWriters(of: type.schema.keyPrefix)
        generation = context.knownLinks.value.generation
    }

    /// Removes the record of an entity, and its index entries. Returns whether it was stored.
    func removeRecord(_ key: [UInt8], in context: TransactionContext) throws -> Bool {
        guard schema.indexes.isEmpty else { return try type.removeRecord(key, in: context) }
        guard let table else { return false }
        context.entityCounts.value.removedEntities += 1
        return try key.withRawSpan { try context.removeNext(table, $0) }
    }
}

extension TransactionContext {
    /// Returns the plan for the deletes of a type.
    func deletePlan(_ type: any EntityModelProtocol.Type) throws -> DeletePlan {
        let links = knownLinks
        if let known = links.value.deletePlans[ObjectIdentifier(type)] { return known }
        let plan = try DeletePlan(type, self)
        links.value.deletePlans[ObjectIdentifier(type)] = plan
        return plan
    }
}
