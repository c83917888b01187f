// The relations of a store, as the table of a record type depends on them.

import TroveCoding

/// The relations of a store that concern a record table.
struct TableRelations: Sendable {
    /// The relations that are properties of the type and that its schema does not declare, as in errors.
    var undeclared: [String] = []
    /// The ids of relations in the records of deleted entities; nil for another type.
    var keptIDs: (any KeptIDs)?

    /// The same relations for a type that is known to declare all of its relations.
    var allDeclared: TableRelations { TableRelations(keptIDs: keptIDs) }
}

/// The ids of relations in the records of deleted entities.
protocol KeptIDs: Sendable {
    /// The changes of the layouts of the records.
    var adaptation: LayoutAdaptation { get }

    /// Returns whether a layout has ids of a relation that the program does not declare.
    func hasForeignIDs(in layout: String) -> Bool
}

/// A relation of a type, as the type declares it.
protocol DeclaredLinks: Sendable {
    /// The stored name of the property.
    var name: String { get }
    var links: LinkDeclaration { get }
    /// The side of the type's entities.
    var side: LinkSide { get }
}

/// A part of a schema that knows the relations of the type.
protocol TablePart: _SchemaPart {
    /// Returns the relations of the type, in the order of their declaration.
    ///
    /// - Throws: ``StoreError/EntityError/relationMismatch(type:relation:inverse:)``.
    func declaredLinks() throws(StoreError) -> [any DeclaredLinks]

    /// The schema of the entities, if the type is that of their deleted entities; nil for another type.
    var keptSchema: RecordSchema? { get }

    /// Returns the ids of relations in the records of deleted entities; nil for another type.
    ///
    /// - Parameters:
    ///   - relations: The relations of the store.
    ///   - snapshot: The types of the store.
    func keptIDs(among relations: [UInt32: StoredRelation], in snapshot: CatalogSnapshot) throws -> (any KeptIDs)?
}

extension RecordSchema {
    /// The part that knows the relations of the type; nil for a type that is not an entity.
    var tablePart: (any TablePart)? { part as? any TablePart }

    /// Returns the relations of a store that concern the type's table.
    func tableRelations(
        among relations: [UInt32: StoredRelation], in snapshot: CatalogSnapshot
    ) throws -> TableRelations {
        TableRelations(
            undeclared: try undeclaredRelations(among: relations),
            keptIDs: try tablePart?.keptIDs(among: relations, in: snapshot))
    }
}
