// The validator of stored properties: it returns the storable properties, and reports the others.

import SwiftDiagnostics
import SwiftSyntax

/// Checks stored properties one by one.
struct PropertyValidator {
    var members: MemberList
    /// The names of the key arguments: a constant among them has a diagnostic at its key.
    var keyNames: Set<String> = []

    /// Returns the storable properties, in order, each with its type's syntax.
    func properties(_ diagnostics: inout DiagnosticList) -> [(property: StoredProperty, type: TypeSyntax)] {
        for declaration in members.conditional where declaration.is(VariableDeclSyntax.self) {
            diagnostics.add(.conditionalMember("stored properties"), at: declaration)
        }
        for tuple in members.tuples {
            diagnostics.add(.tuplePattern, at: tuple.pattern, fixIts: splitTuple(tuple))
        }
        checkStoredNames(&diagnostics)
        return members.stored.compactMap { property in
            type(of: property, &diagnostics).map { (property, $0) }
        }
    }

    /// Checks for duplicate stored names. A diagnostic is placed at the coding key with the name.
    private func checkStoredNames(_ diagnostics: inout DiagnosticList) {
        let keys = members.codingKeys
        for declaration in keys.conditional {
            diagnostics.add(.conditionalMember("coding keys"), at: declaration)
        }
        var owners: [String: String] = [:]
        for property in members.stored where !isLeftOut(property) {
            let name = property.name.plainName
            let storedName = keys.storedName(of: name)
            guard let owner = owners.updateValue(name, forKey: storedName), let key = keys[name] ?? keys[owner]
            else { continue }
            diagnostics.add(.sameStoredName(storedName, owner, name), at: key, preventsExpansion: false)
        }
    }

    private func type(of property: StoredProperty, _ diagnostics: inout DiagnosticList) -> TypeSyntax? {
        let name = property.name.plainName
        if let modifier = property.lazyModifier {
            let remaining = property.declaration.modifiers.filter { $0.id != modifier.id }
            let eager = property.declaration.with(\.modifiers, remaining)
            diagnostics.add(
                .lazyProperty(name), at: modifier,
                fixIts: [.replace(property.declaration, with: eager, .remove("lazy"))])
            return nil
        }
        if isLeftOut(property) {
            guard !keyNames.contains(name) else { return nil }
            diagnostics.add(
                .constantWithInitialValue(name), at: property.name,
                fixIts: [.change(property.declaration.bindingSpecifier, to: .var)])
            return nil
        }
        guard let type = property.type else {
            diagnostics.add(.missingType(name), at: property.name, fixIts: annotate(property))
            return nil
        }
        if let (node, reason) = type.unsupportedPart {
            diagnostics.add(.unsupportedType(name, reason), at: node, fixIts: makeOptional(node))
            return nil
        }
        return type
    }

    /// Returns whether a property is a constant with an initial value: then it is not part of the stored layout.
    func isLeftOut(_ property: StoredProperty) -> Bool {
        property.isConstant && property.initialValue != nil
    }

    // MARK: Fix-its

    private func annotate(_ property: StoredProperty) -> [FixIt] {
        guard let type = property.initialValue?.literalType else { return [] }
        let annotation = TypeAnnotationSyntax(
            colon: .colonToken(trailingTrivia: .space), type: IdentifierTypeSyntax(name: .identifier(type)),
            trailingTrivia: .space)
        let binding = property.binding
            .with(\.pattern, property.binding.pattern.trimmed)
            .with(\.typeAnnotation, annotation)
        return [.replace(property.binding, with: binding, .insert(": \(type)"))]
    }

    private func makeOptional(_ node: Syntax) -> [FixIt] {
        guard let forced = node.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) else { return [] }
        let optional = OptionalTypeSyntax(wrappedType: forced.wrappedType.trimmed)
        return [.replace(forced, with: optional, .change(forced.trimmedDescription, to: optional.description))]
    }

    /// Returns a fix-it to turn `let (a, b): (Int, String)` into `let a: Int, b: String`.
    private func splitTuple(_ binding: PatternBindingSyntax) -> [FixIt] {
        guard binding.initializer == nil,
            let names = binding.pattern.as(TuplePatternSyntax.self)?.elements,
            let types = binding.typeAnnotation?.type.as(TupleTypeSyntax.self)?.elements,
            names.count == types.count, names.allSatisfy({ $0.pattern.is(IdentifierPatternSyntax.self) }),
            let list = binding.parent?.as(PatternBindingListSyntax.self), list.count == 1
        else { return [] }
        let text = zip(names, types)
            .map { "\($0.pattern.trimmedDescription): \($1.type.trimmedDescription)" }
            .joined(separator: ", ")
        let bindings = zip(names, types).enumerated().map { index, element in
            PatternBindingSyntax(
                pattern: element.0.pattern.trimmed,
                typeAnnotation: TypeAnnotationSyntax(
                    colon: .colonToken(trailingTrivia: .space), type: element.1.type.trimmed),
                trailingComma: index + 1 < names.count ? .commaToken(trailingTrivia: .space) : nil)
        }
        return [.replace(list, with: PatternBindingListSyntax(bindings), .split(into: text))]
    }
}

extension ExprSyntax {
    /// The default type of a literal in Swift; nil for any other expression.
    fileprivate var literalType: String? {
        if self.is(IntegerLiteralExprSyntax.self) { return "Int" }
        if self.is(FloatLiteralExprSyntax.self) { return "Double" }
        if self.is(StringLiteralExprSyntax.self) { return "String" }
        if self.is(BooleanLiteralExprSyntax.self) { return "Bool" }
        guard let negation = self.as(PrefixOperatorExprSyntax.self), negation.operator.text == "-" else { return nil }
        return negation.expression.is(IntegerLiteralExprSyntax.self)
            ? "Int" : negation.expression.is(FloatLiteralExprSyntax.self) ? "Double" : nil
    }
}
