// The parser of the macros for declaring indexes: `#Index`, `#Unique`, `#FullTextIndex`, `#Totals`.

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

    /// The macro in its source spelling.
    var macro: String { "#" + kind.macro }

    /// The type in angle brackets.
    var record: TypeSyntax? {
        // An argument is a type up to swift-syntax 600, and a type or a value from then on.
        declaration.genericArgumentClause?.arguments.first.flatMap { Syntax($0.argument).as(TypeSyntax.self) }
    }

    /// The arguments for properties; of totals, those of the groups.
    var properties: [LabeledExprSyntax] {
        kind.isTotals ? arguments(after: "by") : declaration.arguments.filter { $0.label == nil }
    }

    /// The arguments for the properties that totals add up.
    var numbers: [LabeledExprSyntax] { kind.isTotals ? arguments(after: "of") : [] }

    /// Returns the argument with a label, and the arguments without a label that follow it.
    private func arguments(after label: String) -> [LabeledExprSyntax] {
        let rest = declaration.arguments.drop { $0.label?.text != label }
        return Array(rest.prefix(1)) + Array(rest.dropFirst().prefix { $0.label == nil })
    }

    /// The collision rule.
    var collisions: ExprSyntax? { argument("collisions") }

    /// Whether an index counts its entries, in its source spelling; nil if it does not.
    var ranked: ExprSyntax? {
        let ranked = argument("ranked")
        return ranked?.as(BooleanLiteralExprSyntax.self)?.literal.tokenKind == .keyword(.false) ? nil : ranked
    }

    /// The arguments of a full-text index except its properties and its condition.
    var textOptions: [LabeledExprSyntax] {
        declaration.arguments.filter { ["analyzer", "version", "weights", "keepsOrder"].contains($0.label?.text) }
    }

    /// Whether the text of a full-text index is gathered: it has a name instead of properties.
    var isGathered: Bool {
        kind.isText
            && (argument("gathering") != nil || properties.first?.expression.is(StringLiteralExprSyntax.self) == true)
    }

    /// The closure that gathers texts; nil if there is none.
    var gathering: ExprSyntax? {
        declaration.trailingClosure.map { ExprSyntax($0) } ?? argument("gathering")
    }

    /// The weights of a full-text index; nil unless they are a literal.
    var weights: ArrayExprSyntax? { argument("weights")?.as(ArrayExprSyntax.self) }

    /// The condition for a record to be in the index; nil for all records.
    var condition: ExprSyntax? {
        let condition = declaration.trailingClosure.map { ExprSyntax($0) } ?? argument("where")
        return condition?.is(NilLiteralExprSyntax.self) == true ? nil : condition
    }

    private func argument(_ label: String) -> ExprSyntax? {
        declaration.arguments.first { $0.label?.text == label }?.expression
    }
}
