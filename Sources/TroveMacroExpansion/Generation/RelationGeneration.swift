// The members of an entity for its relations. They are members of the struct itself, so that types and delete rules
// mean the same as in the source.

import SwiftSyntax
import SwiftSyntaxBuilder

/// Generates `RelationKeys` and `relations`.
enum RelationGeneration {
    /// Returns no member for a record that is not an entity.
    static func members(of record: RecordDescription) -> [DeclSyntax] {
        guard let relations = record.entity?.relations else { return [] }
        let head = "nonisolated \(record.context.access.memberPrefix)static let relations: [Trove.EntityRelation<Self>]"
        let list = SourceText.indented([relations.map(declaration).joined(separator: ",\n")])
        let keys = SourceText.block("nonisolated enum RelationKeys", relations.map { key(of: $0, record.context.name) })
        return (relations.isEmpty ? [] : ["\(raw: keys)"])
            + ["\(raw: head) = \(raw: relations.isEmpty ? "[]" : "[\n\(list)\n]")"]
    }

    private static func key(of relation: RelationshipDescription, _ owner: String) -> String {
        let access = relation.access < .internal ? "fileprivate " : ""
        let inverse = relation.inverse.map { "\(relation.target).RelationKeys.\($0)" } ?? "Trove.NoInverse"
        return SourceText.block(
            "\(access)enum \(relation.code): Trove.RelationKey",
            [
                "\(access)typealias OwnerEntity = \(owner)", "\(access)typealias TargetEntity = \(relation.target)",
                "\(access)typealias InverseKey = \(inverse)",
            ])
    }

    private static func declaration(of relation: RelationshipDescription) -> String {
        var arguments = ["RelationKeys.\(relation.code).self", "property: \(SourceText.literal(relation.name))"]
        if let inverse = relation.inverse {
            arguments.append("inverse: \(SourceText.literal(inverse.filter { $0 != "`" }))")
        }
        let projection = relation.projection
        arguments += ["at: \\.\(projection)", "get: { $0.\(projection) }", "set: { $0.\(projection) = $1 }"]
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
