// Checks of a type by its spelling alone.

import SwiftSyntax

extension TypeSyntax {
    /// The first part of the type without a coding, and the reason.
    var unsupportedPart: (node: Syntax, reason: UnsupportedType)? {
        let finder = UnsupportedTypeFinder(viewMode: .sourceAccurate)
        finder.walk(self)
        return finder.found
    }

    /// The spelling without spaces, line breaks and comments.
    var compactSpelling: String {
        let parts = withoutParentheses.tokens(viewMode: .sourceAccurate).map(\.text)
        return parts.joined()
    }

    /// The spelling for generated code.
    var codeSpelling: String {
        let text = withoutParentheses.trimmedDescription
        return text.contains { $0.isNewline || $0 == "/" } ? compactSpelling : text
    }

    /// The type without redundant parentheses: `Int` for `(Int)`.
    var withoutParentheses: TypeSyntax {
        guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first,
            only.firstName == nil
        else { return self }
        return only.type.withoutParentheses
    }

    /// Whether the type is known to be neither an array nor a set, nor an optional of either.
    var hasNoElements: Bool {
        let type = withoutParentheses
        if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType.hasNoElements }
        if type.is(DictionaryTypeSyntax.self) { return true }
        guard let named = type.as(IdentifierTypeSyntax.self) else { return false }
        let others: Set = ["Array", "Set", "Optional", "Swift", "Foundation", "FoundationEssentials", "Trove", "Self"]
        return OuterNameFinder.standardNames.subtracting(others).contains(named.name.text)
    }

    /// Whether the type is known not to be `String`, `String?` or `[String]`.
    var hasNoWords: Bool {
        let type = withoutParentheses
        if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType.isNotString }
        if let array = type.as(ArrayTypeSyntax.self) { return array.element.isNotString }
        if let named = type.as(IdentifierTypeSyntax.self), ["Array", "Optional"].contains(named.name.text) {
            let argument = named.genericArgumentClause?.arguments.first.flatMap {
                Syntax($0.argument).as(TypeSyntax.self)
            }
            return argument?.isNotString ?? false
        }
        return type.isNotString
    }

    /// Whether the type is known not to be `String`.
    private var isNotString: Bool {
        let type = withoutParentheses
        if type.is(OptionalTypeSyntax.self) || type.is(ArrayTypeSyntax.self) || type.is(DictionaryTypeSyntax.self) {
            return true
        }
        guard let named = type.as(IdentifierTypeSyntax.self) else { return false }
        let others: Set = ["String", "Swift", "Foundation", "FoundationEssentials", "Trove", "Self"]
        return OuterNameFinder.standardNames.subtracting(others).contains(named.name.text)
    }

    /// Whether the standard coding of the type is known not to preserve order.
    var isUnordered: Bool {
        let type = withoutParentheses
        if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType.isUnordered }
        if let array = type.as(ArrayTypeSyntax.self) { return array.element.trimmedDescription != "UInt8" }
        if type.is(DictionaryTypeSyntax.self) { return true }
        guard let named = type.as(IdentifierTypeSyntax.self) else { return false }
        let arguments = named.genericArgumentClause?.arguments
        switch named.name.text {
        case "Array": return arguments?.trimmedDescription != "UInt8"
        case "Dictionary", "Set": return arguments != nil
        case "URL": return true
        default: return false
        }
    }
}

extension SyntaxProtocol {
    /// Returns whether a type or a value uses a name that may be visible only inside the enclosing types.
    ///
    /// - Parameter visible: The names visible in an extension too.
    func mayBeOutside(visible: Set<String>) -> Bool {
        let finder = OuterNameFinder(viewMode: .sourceAccurate)
        finder.walk(self)
        return !finder.names.isSubset(of: OuterNameFinder.standardNames.union(visible))
    }
}

/// Finds the first part of a type without a coding.
private final class UnsupportedTypeFinder: SyntaxVisitor {
    var found: (node: Syntax, reason: UnsupportedType)?

    private func report(_ node: some SyntaxProtocol, _ reason: UnsupportedType) -> SyntaxVisitorContinueKind {
        if found == nil { found = (Syntax(node), reason) }
        return .skipChildren
    }

    override func visit(_ node: FunctionTypeSyntax) -> SyntaxVisitorContinueKind { report(node, .function) }
    override func visit(_ node: CompositionTypeSyntax) -> SyntaxVisitorContinueKind { report(node, .existential) }
    override func visit(_ node: MetatypeTypeSyntax) -> SyntaxVisitorContinueKind { report(node, .metatype) }

    override func visit(_ node: AttributedTypeSyntax) -> SyntaxVisitorContinueKind {
        report(node, node.baseType.is(FunctionTypeSyntax.self) ? .function : .attributed)
    }

    override func visit(_ node: ImplicitlyUnwrappedOptionalTypeSyntax) -> SyntaxVisitorContinueKind {
        report(node, .implicitlyUnwrapped)
    }

    override func visit(_ node: SomeOrAnyTypeSyntax) -> SyntaxVisitorContinueKind {
        report(node, node.someOrAnySpecifier.tokenKind == .keyword(.some) ? .opaque : .existential)
    }

    override func visit(_ node: TupleTypeSyntax) -> SyntaxVisitorContinueKind {
        TypeSyntax(node).withoutParentheses.is(TupleTypeSyntax.self) ? report(node, .tuple) : .visitChildren
    }

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        switch node.name.text {
        case "Any", "AnyObject": report(node, .existential)
        case "Void": report(node, .tuple)
        default: .visitChildren
        }
    }
}

/// Collects the names in a type or a value that are looked up first.
private final class OuterNameFinder: SyntaxVisitor {
    static let standardNames: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
        "Float", "Double", "Bool", "String", "Optional", "Array", "Set", "Dictionary",
        "Data", "Date", "UUID", "URL", "Decimal", "Swift", "Foundation", "FoundationEssentials",
        "Trove", "Tuple", "Descending", "Self",
    ]

    var names: Set<String> = []

    override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
        names.insert(node.name.plainName)
        return .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        names.insert(node.baseName.plainName)
        return .visitChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        if let base = node.base { walk(base) }
        return .skipChildren
    }
}
