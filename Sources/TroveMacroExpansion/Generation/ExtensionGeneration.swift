// The extension around the generated members.

import SwiftSyntax
import SwiftSyntaxBuilder

/// Generates the extension of a type.
enum ExtensionGeneration {
    static func declaration(
        of context: TypeContext, conformances: [String], members: [String]
    ) throws -> ExtensionDeclSyntax {
        let inherited = conformances.isEmpty ? "" : ": " + conformances.joined(separator: ", ")
        let attributes = context.availability.map { $0 + "\n" }.joined()
        let head = "\(attributes)nonisolated extension \(context.extendedType)\(inherited)"
        let text = "\(head) {\n\(SourceText.indented([members.joined(separator: "\n\n")]))\n}"
        return try ExtensionDeclSyntax("\(raw: text)")
    }

    static func declaration(of record: RecordDescription) throws -> ExtensionDeclSyntax {
        var conformances = record.conformances.map { "Trove.\($0)" }
        if record.mayLackOrder { conformances.append("Trove.KeyFallback") }
        if record.identity != .none { conformances.append("Identifiable") }
        return try declaration(
            of: record.context, conformances: conformances,
            members: SchemaGeneration.members(of: record) + KeyGeneration.members(of: record)
                + FieldsGeneration.members(of: record) + EntityGeneration.members(of: record)
                + QueryGeneration.members(of: record))
    }

    static func declaration(of value: ValueDescription) throws -> ExtensionDeclSyntax {
        let members =
            switch value.shape {
            case .record(let properties): StructValueGeneration.members(of: value.context, properties)
            case .enumeration(let cases): EnumValueGeneration.members(of: value.context, cases)
            }
        return try declaration(
            of: value.context, conformances: value.declaresConformance ? ["Trove.RecordValue"] : [],
            members: members)
    }

    /// Returns the extension for CloudKit. A generic type has no stored static property.
    static func declaration(
        of context: TypeContext, cloudKit record: CloudKitDescription
    ) throws -> ExtensionDeclSyntax {
        let assets = record.assets.map(SourceText.literal).joined(separator: ", ")
        let value = "Trove.CloudKitFields(of: Self.self\(assets.isEmpty ? "" : ", assets: [\(assets)]"))"
        let name = "ckFields: Trove.CloudKitFields"
        let access = context.access.memberPrefix
        return try declaration(
            of: context, conformances: record.declaresConformance ? ["Trove.CloudKitRecord"] : [],
            members: [
                record.isGeneric
                    ? "\(access)static var \(name) { \(value) }" : "\(access)static let \(name) = \(value)"
            ])
    }
}
