// Fix-its for wrong `#Index` and `#Unique` declarations.

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension IndexValidator {
    func rename(_ record: TypeSyntax) -> [FixIt] {
        let own = TypeSyntax(IdentifierTypeSyntax(name: .identifier(context.name)))
        return [.replace(record, with: own, .change(record.trimmedDescription, to: context.name))]
    }

    func replace(_ path: KeyPathExprSyntax, with text: String) -> FixIt {
        .replace(path, with: ExprSyntax("\(raw: text)"), .change(path.trimmedDescription, to: text))
    }

    func remove(_ argument: LabeledExprSyntax, from syntax: IndexSyntax) -> FixIt {
        let arguments = syntax.declaration.arguments
        var kept = arguments.filter { $0.id != argument.id }
        if let last = kept.indices.last { kept[last].trailingComma = nil }
        return .replace(arguments, with: kept, .remove(argument.expression.trimmedDescription))
    }

    func remove(_ syntax: IndexSyntax) -> [FixIt] {
        guard let item = syntax.declaration.parent?.as(MemberBlockItemSyntax.self),
            let list = item.parent?.as(MemberBlockItemListSyntax.self)
        else { return [] }
        let kept = list.filter { $0.id != item.id }
        return [.replace(list, with: kept, .remove(syntax.declaration.trimmedDescription))]
    }

    func insertCollisions(_ syntax: IndexSyntax) -> FixIt {
        let old = syntax.declaration.arguments
        var arguments = Array(old)
        let place = arguments.firstIndex { $0.label != nil } ?? arguments.endIndex
        let isLast = place == arguments.endIndex
        let collisions = LabeledExprSyntax(
            label: .identifier("collisions"), colon: .colonToken(trailingTrivia: .space),
            expression: ExprSyntax(".throw"),
            trailingComma: isLast ? nil : .commaToken(trailingTrivia: .space))
        if isLast, let last = arguments.indices.last {
            arguments[last].trailingComma = .commaToken(trailingTrivia: .space)
        }
        arguments.insert(collisions, at: place)
        return .replace(old, with: LabeledExprListSyntax(arguments), .insert("collisions: .throw"))
    }

    /// Replaces a property with an attribute by the macro.
    func write(_ syntax: IndexAttributeSyntax, _ macro: String) -> [FixIt] {
        [.replace(DeclSyntax(syntax.declaration), with: DeclSyntax("\(raw: macro)"), .merge(into: macro))]
    }
}
