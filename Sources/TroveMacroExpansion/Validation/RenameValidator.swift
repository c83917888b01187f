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

    /// Returns the former stored name of a property; nil without a literal in `@Renamed`.
    mutating func oldName(of property: StoredProperty, _ diagnostics: inout DiagnosticList) -> String? {
        let name = property.name.plainName
        let attributes = property.renamedAttributes
        for second in attributes.dropFirst() {
            report(.renamedTwice(name), at: second, &diagnostics, fixIts: remove(second, from: property))
        }
        guard let attribute = attributes.first, case .argumentList(let arguments) = attribute.arguments,
            let expression = arguments.first?.expression
        else { return nil }
        guard property.declaration.bindings.count == 1 else {
            if property.binding.id == property.declaration.bindings.first?.id {
                report(.renamedSeveral, at: attribute, &diagnostics)
            }
            return nil
        }
        guard let oldName = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
            report(.oldNameNotLiteral, at: expression, &diagnostics)
            return nil
        }
        if oldName.isEmpty {
            report(.oldNameEmpty, at: expression, &diagnostics)
        } else if owners[oldName] == name {
            report(
                .oldNameIsPresent(oldName, of: name), at: expression, &diagnostics,
                fixIts: remove(attribute, from: property))
        } else if let owner = owners[oldName] {
            report(.oldNameIsTaken(oldName, by: owner), at: expression, &diagnostics)
        } else if !oldNames.insert(oldName).inserted {
            report(
                .oldNameRepeated(oldName), at: expression, &diagnostics, fixIts: remove(attribute, from: property))
        }
        return oldName
    }

    /// Adds a diagnostic without preventing the expansion: the declaration is meaningful without the attribute.
    private func report(
        _ message: MacroDiagnostic, at node: some SyntaxProtocol, _ diagnostics: inout DiagnosticList,
        fixIts: [FixIt] = []
    ) {
        diagnostics.add(message, at: node, fixIts: fixIts, preventsExpansion: false)
    }

    private func remove(_ attribute: AttributeSyntax, from property: StoredProperty) -> [FixIt] {
        let kept = property.declaration.attributes.filter { $0.id != attribute.id }
        return [
            .replace(
                property.declaration, with: property.declaration.with(\.attributes, kept),
                .remove(attribute.trimmedDescription))
        ]
    }
}
