// The validator of a declaration with `@CloudKitRecord`: it returns a description, or reports a wrong argument, and it
// warns of names that CloudKit does not accept.

import SwiftDiagnostics
import SwiftSyntax

/// Parses and checks the arguments of `@CloudKitRecord`, and the names of the struct.
struct CloudKitValidator {
    let attribute: AttributeSyntax
    let declaration: StructDeclSyntax
    let context: TypeContext
    private let members: MemberList
    private(set) var diagnostics = DiagnosticList()

    init(attribute: AttributeSyntax, declaration: StructDeclSyntax, context: TypeContext) {
        self.attribute = attribute
        self.declaration = declaration
        self.context = context
        members = MemberList(declaration.memberBlock)
    }

    /// Returns the validated description; nil if the diagnostics prevent the expansion.
    mutating func validate(conformances protocols: [TypeSyntax]) -> CloudKitDescription? {
        let names = assetNames()
        checkNames()
        guard !diagnostics.preventsExpansion else { return nil }
        return CloudKitDescription(
            assets: names.map(members.codingKeys.storedName),
            isGeneric: declaration.genericParameterClause != nil || context.genericEnclosing != nil,
            declaresConformance: protocols.contains { $0.isNamed("CloudKitRecord") })
    }

    private var properties: [StoredProperty] {
        members.stored.filter { !PropertyValidator(members: members).isLeftOut($0) }
    }

    /// Warns of names that CloudKit does not accept, unless the struct has other names for CloudKit.
    private mutating func checkNames() {
        if !members.staticNames.contains("ckRecordType") {
            if declaration.genericParameterClause != nil {
                diagnostics.add(.genericRecordType(context.name), at: declaration.name)
            } else if !CloudKitNames.isRecordType(context.name) {
                diagnostics.add(.recordTypeName(context.name), at: declaration.name)
            }
        }
        let hasFieldNames = declaration.memberBlock.members.contains { member in
            member.decl.as(FunctionDeclSyntax.self)?.name.plainName == "ckFieldName"
        }
        guard !hasFieldNames else { return }
        for property in properties {
            let name = members.codingKeys.storedName(of: property.name.plainName)
            if !CloudKitNames.isField(name) { diagnostics.add(.fieldName(name), at: property.name) }
        }
    }

    private mutating func assetNames() -> [String] {
        guard case .argumentList(let arguments) = attribute.arguments else { return [] }
        let stored = properties.map(\.name.plainName)
        var names: [String] = []
        for expression in arguments.map(\.expression) {
            guard let literal = expression.as(StringLiteralExprSyntax.self), let name = literal.representedLiteralValue
            else {
                diagnostics.add(.assetNotLiteral, at: expression)
                continue
            }
            if names.contains(name) {
                diagnostics.add(.duplicateAsset(name), at: expression)
            } else if stored.contains(name) {
                names.append(name)
            } else {
                diagnostics.add(
                    .unknownProperty(name, in: context.name), at: expression,
                    fixIts: NearestName.of(name, among: stored).map { nearest in
                        let new = StringLiteralExprSyntax(content: nearest)
                        return [
                            .replace(expression, with: new, .change(expression.trimmedDescription, to: new.description))
                        ]
                    } ?? [])
            }
        }
        return names
    }
}
