// The members of an entity for its relations. They are members of the struct itself, so that types and delete rules
// mean the same as in the source.

import SwiftSyntax
import SwiftSyntaxBuilder

/// Generates `RelationKeys` and `relations`.
enum RelationGeneration {
    /// Returns no member for a record that is not an entity.
    static func members(of record: RecordDescription) -> [DeclSyntax] {
        guard let entity = record.entity else { return [] }
        let head = "nonisolated \(record.context.access.memberPrefix)static let relations: [Trove.EntityRelation<Self>]"
        let keys = SourceText.block(
            "nonisolated enum RelationKeys: Trove.RelationNames",
            (entity.relations + entity.refusedRelations).map { key(of: $0, record.context.name) })
        return ["\(raw: keys)", "\(raw: head) = \(raw: list(entity.relations))"]
    }

    /// Returns the list of relations. Each is a statement, whose errors the compiler reports at its property.
    private static func list(_ relations: [RelationshipDescription]) -> String {
        guard !relations.isEmpty else { return "[]" }
        let names = relations.indices.map { "relation\($0)" }
        let statements = zip(names, relations).map { name, relation in
            SourceText.statement(
                "let \(name): Trove.EntityRelation<Self> = \(declaration(of: relation))", at: relation.location)
        }
        let lines = statements + ["return [\(names.joined(separator: ", "))]"]
        return "{\n\(SourceText.indented(lines))\n}()"
    }

    private static func key(of relation: RelationshipDescription, _ owner: String) -> String {
        let access = relation.access < .internal ? "fileprivate " : ""
        let inverse =
            relation.inverse.map {
                // An expression: it can name a relation that the target does not declare, and a keyword.
                "nonisolated \(access)static let inverse = \(relation.target).RelationKeys.\($0).self"
            } ?? "\(access)typealias InverseKey = Trove.NoInverse"
        return SourceText.block(
            "\(access)enum \(relation.code): Trove.RelationKey",
            [
                "\(access)typealias OwnerEntity = \(owner)", "\(access)typealias TargetEntity = \(relation.target)",
                SourceText.statement(inverse, at: relation.inverse == nil ? nil : relation.location),
            ])
    }

    private static func declaration(of relation: RelationshipDescription) -> String {
        var arguments = ["RelationKeys.\(relation.code).self", "property: \(SourceText.literal(relation.name))"]
        if let inverse = relation.inverse {
            arguments.append("inverse: \(SourceText.literal(inverse.filter { $0 != "`" }))")
        }
        let projection = relation.projection
        arguments += [
            "at: \\.\(projection)", "value: \\.\(relation.code)", "get: { $0.\(projection) }",
            "set: { $0.\(projection) = $1 }",
        ]
        if relation.storedName != relation.name {
            arguments.append("storedAs: \(SourceText.literal(relation.storedName))")
        }
        if !relation.oldNames.isEmpty {
            arguments.append("renamedFrom: [\(relation.oldNames.map(SourceText.literal).joined(separator: ", "))]")
        }
        if let rule = relation.deleteRule { arguments.append("deleteRule: \(rule)") }
        return ".\(relation.inverse == nil ? "oneWay" : "mutual")(\(arguments.joined(separator: ", ")))"
    }
}
