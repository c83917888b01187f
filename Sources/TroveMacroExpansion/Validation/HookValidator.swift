// The validator of an entity's hooks. A function with the name of a hook and other parameters compiles, and is never
// called: without this check, the hook would do nothing.

import SwiftDiagnostics
import SwiftSyntax

/// Checks the functions in the body of an entity that have the names of hooks.
struct HookValidator {
    /// A function that a store calls.
    private struct Hook {
        var name: String
        var label: String
        var context: String
        var mayMutate = false
        var result = ""

        /// The hook as it is declared.
        var signature: String {
            (mayMutate ? "mutating " : "") + "func \(name)(\(label) context: \(context)) throws\(result)"
        }
    }

    private static let hooks = [
        Hook(name: "willSave", label: "to", context: "TransactionContext", mayMutate: true),
        Hook(name: "didSave", label: "to", context: "TransactionContext"),
        Hook(name: "willDelete", label: "from", context: "TransactionContext"),
        Hook(name: "didDelete", label: "from", context: "TransactionContext"),
        Hook(name: "saveMetadata", label: "to", context: "TransactionContext"),
        Hook(name: "deleteMetadata", label: "from", context: "TransactionContext"),
        Hook(name: "asDeleted", label: "in", context: "ReadContext", result: " -> Deleted<Self>?"),
    ]

    let declaration: StructDeclSyntax

    /// Reports functions that look like hooks, and are overloads of them. The entity is valid without them.
    func check(_ diagnostics: inout DiagnosticList) {
        for member in declaration.memberBlock.members {
            guard let function = member.decl.as(FunctionDeclSyntax.self),
                let hook = Self.hooks.first(where: { $0.name == function.name.plainName }),
                let parameter = function.signature.parameterClause.parameters.first,
                function.signature.parameterClause.parameters.count == 1, parameter.isContext,
                !isHook(function, parameter, hook)
            else { continue }
            diagnostics.add(
                .hookSignature(hook.name, hook.signature), at: function.name,
                fixIts: fixIts(function, parameter, hook), preventsExpansion: false)
        }
    }

    private func isHook(
        _ function: FunctionDeclSyntax, _ parameter: FunctionParameterSyntax, _ hook: Hook
    ) -> Bool {
        parameter.firstName.text == hook.label && parameter.type.isNamed(hook.context)
            && function.genericParameterClause == nil && !function.isStatic && !function.isAsync
            && (hook.mayMutate || !function.isMutating)
    }

    /// Returns a fix-it for the type of the parameter, if the rest is right.
    private func fixIts(
        _ function: FunctionDeclSyntax, _ parameter: FunctionParameterSyntax, _ hook: Hook
    ) -> [FixIt] {
        let type = TypeSyntax(IdentifierTypeSyntax(name: .identifier(hook.context)))
        guard isHook(function, parameter.with(\.type, type), hook) else { return [] }
        return [
            .replace(parameter.type, with: type, .change(parameter.type.trimmedDescription, to: hook.context))
        ]
    }
}

extension FunctionParameterSyntax {
    /// Whether the parameter is of one of the library's types of contexts, or of a type named like them.
    fileprivate var isContext: Bool {
        Array(type.tokens(viewMode: .sourceAccurate)).last { $0.tokenKind.isName }?.text.hasSuffix("Context") ?? false
    }
}

extension TokenKind {
    fileprivate var isName: Bool { if case .identifier = self { true } else { false } }
}

extension FunctionDeclSyntax {
    fileprivate var isStatic: Bool { has(.static) || has(.class) }
    fileprivate var isMutating: Bool { has(.mutating) }
    fileprivate var isAsync: Bool { signature.effectSpecifiers?.asyncSpecifier != nil }

    private func has(_ keyword: Keyword) -> Bool { modifiers.contains { $0.name.tokenKind == .keyword(keyword) } }
}
