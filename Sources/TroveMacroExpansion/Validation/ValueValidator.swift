// The validator of a declaration with `@RecordValue`: it returns a description, or reports why the declaration cannot
// be a field.

import SwiftDiagnostics
import SwiftSyntax

/// Parses and checks a nested value.
struct ValueValidator {
    let attribute: AttributeSyntax
    let context: TypeContext
    private let locations: SourceLocations?
    private let members: MemberList
    private(set) var diagnostics = DiagnosticList()

    /// Creates a validator of a declaration.
    ///
    /// - Parameter locations: The lines of the declaration; nil if they are not needed.
    init(
        attribute: AttributeSyntax, memberBlock: MemberBlockSyntax, context: TypeContext, locations: SourceLocations?
    ) {
        self.attribute = attribute
        self.context = context
        self.locations = locations
        members = MemberList(memberBlock)
    }

    /// Returns the validated struct; nil if the diagnostics prevent the expansion.
    mutating func validate(_ declaration: StructDeclSyntax, conformances: [TypeSyntax]) -> ValueDescription? {
        checkAccess(declaration.modifiers)
        for relation in members.relationships { diagnostics.add(.relationshipOutside, at: relation.attribute) }
        for index in members.indexAttributes {
            diagnostics.add(.indexOfValue("#" + index.kind.macro), at: index.attribute)
        }
        let stored = PropertyValidator(members: members).properties(&diagnostics)
        if stored.isEmpty, !diagnostics.preventsExpansion {
            diagnostics.add(.noStoredProperties(context.name), at: declaration.name)
        }
        for (property, _) in stored where property.name.plainName == "encodedSize" {
            diagnostics.add(.reservedName("encodedSize", macro: "RecordValue"), at: property.name)
        }
        var describer = PropertyDescriber(stored.map(\.property), of: members, in: context, locations)
        let properties = stored.map { property, type in
            describer.description(of: property, type, &diagnostics)
        }
        return description(.record(properties), describer.outside, conformances)
    }

    /// Returns the validated enum; nil if the diagnostics prevent the expansion.
    mutating func validate(_ declaration: EnumDeclSyntax, conformances: [TypeSyntax]) -> ValueDescription? {
        checkAccess(declaration.modifiers)
        for conditional in members.conditional {
            diagnostics.add(.conditionalMember("cases"), at: conditional)
        }
        if hasRawValues(declaration) {
            diagnostics.add(.rawValueEnum(context.name), at: attribute, fixIts: declareConformance(declaration))
        } else if members.cases.isEmpty, members.conditional.isEmpty {
            diagnostics.add(.noCases(context.name), at: declaration.name)
        }
        var outside = OutsideTypes(context: context, members: members)
        let cases = members.cases.enumerated().map { index, element in
            CaseDescription(
                name: element.name.plainName, code: element.name.text,
                payload: payload(of: element, at: index, &outside))
        }
        return description(.enumeration(cases), outside, conformances)
    }

    private func description(
        _ shape: ValueDescription.Shape, _ outside: OutsideTypes, _ protocols: [TypeSyntax]
    ) -> ValueDescription? {
        guard !diagnostics.preventsExpansion else { return nil }
        return ValueDescription(
            context: context, shape: shape, outsideTypes: outside.aliases, outsideDefaults: outside.defaults,
            declaresConformance: protocols.contains { $0.isNamed("RecordValue") })
    }

    private mutating func checkAccess(_ modifiers: DeclModifierListSyntax) {
        if let access = modifiers.privateModifier, !context.enclosing.isEmpty {
            diagnostics.add(
                .privateNested(context.name), at: access, fixIts: [.change(access.name, to: .fileprivate)])
        }
    }

    // MARK: Cases

    private mutating func payload(
        of element: EnumCaseElementSyntax, at caseIndex: Int, _ outside: inout OutsideTypes
    ) -> [CaseDescription.Payload] {
        let parameters = element.parameterClause?.parameters ?? []
        return parameters.enumerated().map { index, parameter in
            if let (node, reason) = parameter.type.unsupportedPart {
                diagnostics.add(.unsupportedType(element.name.plainName, reason), at: node)
            }
            let label = parameter.firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0 }
            return CaseDescription.Payload(
                label: label?.plainName, argumentLabel: label?.argumentLabel,
                type: outside.spelling(
                    of: parameter.type, alias: "case\(caseIndex)_\(index)", access: min(context.access, .internal)),
                location: locations?.directive(of: parameter.type))
        }
    }

    private func hasRawValues(_ declaration: EnumDeclSyntax) -> Bool {
        if members.cases.contains(where: { $0.rawValue != nil }) { return true }
        guard let first = declaration.inheritanceClause?.inheritedTypes.first else { return false }
        return Self.rawTypes.contains(first.type.trimmedDescription)
    }

    private static let rawTypes: Set<String> = [
        "String", "Character", "Float", "Double", "Int", "Int8", "Int16", "Int32", "Int64", "Int128",
        "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
    ]

    private func declareConformance(_ declaration: EnumDeclSyntax) -> [FixIt] {
        let others = declaration.attributes.filter { element in
            element.as(AttributeSyntax.self)?.attributeName.isNamed("RecordValue") != true
        }
        let conformance = InheritedTypeSyntax(type: IdentifierTypeSyntax(name: .identifier("RecordValue")))
        var inherited = declaration.inheritanceClause?.inheritedTypes.map(\.trimmed) ?? []
        if !inherited.contains(where: { $0.type.isNamed("RecordValue") }) { inherited.append(conformance) }
        for index in inherited.indices.dropLast() {
            inherited[index].trailingComma = .commaToken(trailingTrivia: .space)
        }
        var new = declaration.with(\.attributes, others)
        new.name.trailingTrivia = []
        new.inheritanceClause = InheritanceClauseSyntax(
            colon: .colonToken(trailingTrivia: .space), inheritedTypes: InheritedTypeListSyntax(inherited),
            trailingTrivia: .space)
        return [.replace(declaration, with: new, .declareConformance)]
    }
}
