// The validator of `@Renamed`. Its own expansion checks its placement. Only here all properties are known, to check its
// argument.

import SwiftDiagnostics
import SwiftSyntax

/// Checks the old names of properties.
struct RenameValidator {
    /// The properties by their stored names.
    private let owners: [String: String]
    private var oldNames: Set<String> = []

    init(_ properties: [StoredProperty], _ codingKeys: CodingKeyNames) {
        let names = properties.map(\.name.plainName)
        owners = Dictionary(names.map { (codingKeys.storedName(of: $0), $0) }) { first, _ in first }
    }

    /// Returns the former stored names of a property, the oldest first; empty without literals in `@Renamed`.
    mutating func oldNames(of property: StoredProperty, _ diagnostics: inout DiagnosticList) -> [String] {
        let attributes = property.renamedAttributes
        guard let first = attributes.first else { return [] }
        guard property.declaration.bindings.count == 1 else {
            if property.binding.id == property.declaration.bindings.first?.id {
                report(.renamedSeveral, at: first, &diagnostics)
            }
            return []
        }
        if attributes.count > 1 {
            report(
                .renamedTwice(property.name.plainName), at: attributes[1], &diagnostics,
                fixIts: merge(attributes, of: property))
        }
        var names: [String] = []
        for attribute in attributes {
            for argument in attribute.oldNames {
                guard let name = oldName(argument, of: property, &diagnostics) else { continue }
                if names.contains(name) {
                    report(
                        .oldNameListedTwice(name), at: argument.expression, &diagnostics,
                        fixIts: remove(argument, of: attribute, from: property))
                } else {
                    checkOldName(name, in: argument, of: attribute, on: property, &diagnostics)
                    names.append(name)
                }
            }
        }
        return names
    }

    /// Returns the name in an argument of `@Renamed`; nil without a literal.
    private func oldName(
        _ argument: LabeledExprSyntax, of property: StoredProperty, _ diagnostics: inout DiagnosticList
    ) -> String? {
        let literal = argument.expression.as(StringLiteralExprSyntax.self)
        guard let name = literal?.representedLiteralValue else {
            report(.oldNameNotLiteral, at: argument.expression, &diagnostics)
            return nil
        }
        return name
    }

    private mutating func checkOldName(
        _ oldName: String, in argument: LabeledExprSyntax, of attribute: AttributeSyntax, on property: StoredProperty,
        _ diagnostics: inout DiagnosticList
    ) {
        let (name, expression) = (property.name.plainName, argument.expression)
        if oldName.isEmpty {
            report(.oldNameEmpty, at: expression, &diagnostics)
        } else if owners[oldName] == name {
            report(
                .oldNameIsPresent(oldName, of: name), at: expression, &diagnostics,
                fixIts: remove(argument, of: attribute, from: property))
        } else if let owner = owners[oldName] {
            report(.oldNameIsTaken(oldName, by: owner), at: expression, &diagnostics)
        } else if !oldNames.insert(oldName).inserted {
            report(
                .oldNameRepeated(oldName), at: expression, &diagnostics,
                fixIts: remove(argument, of: attribute, from: property))
        }
    }

    /// Adds a diagnostic without preventing the expansion: the declaration is meaningful without the attribute.
    private func report(
        _ message: MacroDiagnostic, at node: some SyntaxProtocol, _ diagnostics: inout DiagnosticList,
        fixIts: [FixIt] = []
    ) {
        diagnostics.add(message, at: node, fixIts: fixIts, preventsExpansion: false)
    }

    /// Removes an old name, or the attribute if it has no other.
    private func remove(
        _ argument: LabeledExprSyntax, of attribute: AttributeSyntax, from property: StoredProperty
    ) -> [FixIt] {
        let others = attribute.oldNames.filter { $0.id != argument.id }
        let isLast = others.isEmpty
        return replace(
            [attribute], by: isLast ? nil : others, of: property,
            .remove(isLast ? attribute.trimmedDescription : argument.expression.trimmedDescription))
    }

    /// Lists the old names of several attributes in the first.
    private func merge(_ attributes: [AttributeSyntax], of property: StoredProperty) -> [FixIt] {
        let names = attributes.flatMap(\.oldNames)
        guard let first = attributes.first, !names.isEmpty else { return [] }
        return replace(
            attributes, by: names, of: property, .merge(into: first.listing(names).trimmedDescription))
    }

    /// Replaces attributes of a property by the first with these names; nil removes all of them.
    private func replace(
        _ attributes: [AttributeSyntax], by names: [LabeledExprSyntax]?, of property: StoredProperty,
        _ message: MacroFixIt
    ) -> [FixIt] {
        let replaced = Set(attributes.map { Syntax($0).id })
        let kept = property.declaration.attributes.compactMap { element -> AttributeListSyntax.Element? in
            guard case .attribute(let attribute) = element, replaced.contains(Syntax(attribute).id) else {
                return element
            }
            guard let names, attribute.id == attributes.first?.id else { return nil }
            return .attribute(attribute.listing(names))
        }
        let declaration = property.declaration.with(\.attributes, AttributeListSyntax(kept))
        return [.replace(property.declaration, with: declaration, message)]
    }
}

extension AttributeSyntax {
    /// The arguments of a `@Renamed`.
    fileprivate var oldNames: [LabeledExprSyntax] {
        guard case .argumentList(let arguments) = arguments else { return [] }
        return Array(arguments)
    }

    /// Returns the attribute with other arguments.
    fileprivate func listing(_ names: [LabeledExprSyntax]) -> AttributeSyntax {
        let arguments = names.enumerated().map { index, name in
            let isLast = index == names.count - 1
            return LabeledExprSyntax(
                expression: name.expression.trimmed,
                trailingComma: isLast ? nil : .commaToken(trailingTrivia: .space))
        }
        return with(\.arguments, .argumentList(LabeledExprListSyntax(arguments)))
    }
}
