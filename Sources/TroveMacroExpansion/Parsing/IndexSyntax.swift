// Reads the macros that declare indexes: `#Index`, `#Unique`.

import SwiftSyntax

/// A macro that declares an index, as a member of a struct.
struct IndexSyntax {
    let declaration: MacroExpansionDeclSyntax
    let kind: IndexMacroKind

    /// Returns nil for any other member.
    init?(_ member: DeclSyntax) {
        guard let expansion = member.as(MacroExpansionDeclSyntax.self),
            let kind = IndexMacroKind.all.first(where: { $0.macro == expansion.macroName.text })
        else { return nil }
        declaration = expansion
        self.kind = kind
    }

    /// The macro as a user writes it.
    var macro: String { "#" + kind.macro }

    /// The type in angle brackets.
    var record: TypeSyntax? { declaration.genericArgumentClause?.arguments.first?.argument.as(TypeSyntax.self) }

    /// The arguments that are meant as properties.
    var properties: [LabeledExprSyntax] { declaration.arguments.filter { $0.label == nil } }

    /// What happens when a second record has the same values.
    var collisions: ExprSyntax? { argument("collisions") }

    /// Which records are in the table; nil for all.
    var condition: ExprSyntax? {
        let condition = declaration.trailingClosure.map { ExprSyntax($0) } ?? argument("where")
        return condition?.is(NilLiteralExprSyntax.self) == true ? nil : condition
    }

    private func argument(_ label: String) -> ExprSyntax? {
        declaration.arguments.first { $0.label?.text == label }?.expression
    }
}

/// A literal key path of a record, such as `\.lastName.desc`.
struct IndexedPath {
    let syntax: KeyPathExprSyntax
    /// The arguments after the type.
    private var components: ArraySlice<KeyPathComponentSyntax>

    /// Nil where the path begins at another type than that of the context.
    init?(_ syntax: KeyPathExprSyntax, in context: TypeContext) {
        self.syntax = syntax
        components = Array(syntax.components)[...]
        // Of `\Outer.Person.age`, the root is `Outer`.
        guard var root = syntax.root?.compactSpelling else { return }
        while !context.isSpelled(root) {
            guard let name = components.popFirst()?.propertyName else { return nil }
            root += "." + name.text
        }
    }

    /// The property of the record; nil where the path begins with something else.
    var property: TokenSyntax? { components.first?.propertyName }

    /// Whether it is the property, or the property and `desc`; else it is a part of it.
    var isWhole: Bool { components.count == 1 || isDescending }

    var isDescending: Bool { components.count == 2 && components.last?.propertyName?.text == "desc" }
}

extension KeyPathComponentSyntax {
    fileprivate var propertyName: TokenSyntax? {
        component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName
    }
}
