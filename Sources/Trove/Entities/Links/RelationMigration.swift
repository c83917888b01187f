// The migration of a relation whose declaration has changed: its names and directions are entries of the catalog, its
// form is the form of its links. A write carries out a migration that changes only the catalog.

import LMDB
import TroveCoding

/// The migration of a stored relation to its declaration.
struct RelationMigration: Sendable {
    let declared: LinkDeclaration
    let stored: StoredRelation
    let difference: RelationDifference
    /// The layouts of the identifiers at the ends of the stored relation, after the migration.
    let identifiers: [LayoutType]

    /// - Returns: Nil if the declared relation is another relation, or does not differ from the stored relation.
    init?(_ declared: LinkDeclaration, over stored: StoredRelation, in context: ReadContext) {
        // The migration of an entity type with records changes its identifiers in the links too.
        identifiers = zip(LinkSide.allCases, zip(stored.identifiers, declared.identifiers(in: stored.relation))).map {
            context.hasType(stored.relation[$0].keyPrefix) ? $1.0 : $1.1
        }
        guard
            let difference = RelationDifference(
                declared, over: stored.relation, changesIdentifiers: identifiers != stored.identifiers)
        else { return nil }
        (self.declared, self.stored, self.difference) = (declared, stored, difference)
    }

    /// The prefix of the links.
    var keyPrefix: UInt32 { stored.schema.keyPrefix }

    /// Whether it changes only the catalog, and cannot fail.
    var isTrivial: Bool { !difference.rewritesLinks && difference.newlyExclusive.isEmpty }

    /// Returns the relation after the migration.
    func target() throws -> StoredRelation {
        let text = stored.schema.layout
        do throws(CodingError) {
            var layout = try RecordLayout(text)
            if difference.rewritesLinks {
                let (first, second) = (identifiers[0], identifiers[1])
                layout = difference.target.layout(
                    first: difference.isSwapped ? second : first, second: difference.isSwapped ? first : second)
            }
            return StoredRelation(
                difference.target,
                RecordSchema(difference.target, name: declared.name, keyPrefix: keyPrefix, layout),
                identifiers: layout.key.map(\.type))
        } catch {
            throw StoreError.schema(.layoutDamaged(type: stored.schema.name, layout: text, reason: error))
        }
    }
}

extension ReadContext {
    /// Returns whether the store has a record type.
    fileprivate final func hasType(_ keyPrefix: UInt32) -> Bool { catalogSnapshot.hasType(keyPrefix) }
}

extension RelationMigration {
    /// Creates the error of a write before the migration.
    func notCarriedOut(in context: ReadContext) throws -> StoreError {
        func text(_ relation: CatalogRelation) -> String {
            StoredLinks(relation) { context.catalogSnapshot.recordTable($0)?.type.qualifiedName }.description
        }
        return .schema(
            .relationChanged(
                path: context.core.path, relation: declared.name, stored: text(difference.source),
                declared: text(difference.target)))
    }
}

extension TransactionContext {
    /// Changes the entries of a relation whose links stay as they are.
    ///
    /// - Returns: The relation as declared.
    @discardableResult
    func adopt(_ migration: RelationMigration) throws -> StoredRelation {
        let target = try migration.target()
        guard var type = try catalogStorage().type(migration.keyPrefix) else { return target }
        // The caller may write links next, which a rewrite by another program would miss.
        try endRewrite(of: type, migration.keyPrefix)
        type.qualifiedName = target.schema.qualifiedName
        try replace(target, type)
        return target
    }
}
