// Validates and describes the `#Index`, `#Unique`, `#FullTextIndex` and `#Totals` of a record. A declaration with an
// error is left out, so it has a single diagnostic.

import SwiftDiagnostics
import SwiftSyntax

/// Checks the indexes of a record.
struct IndexValidator {
    let context: TypeContext
    let members: MemberList
    /// All stored properties.
    let properties: [PropertyDescription]
    let key: [PropertyDescription]

    /// Returns the valid indexes, in order.
    func indexes(_ diagnostics: inout DiagnosticList) -> [IndexDescription] {
        for index in members.conditionalIndexes {
            report(.conditionalMember("'\(index.macro)'"), at: index.declaration, &diagnostics)
        }
        for syntax in members.indexAttributes {
            let macro = syntax.macro(in: context.name)
            report(
                .indexAttribute(syntax.name, macro), at: syntax.attribute, &diagnostics, fixIts: write(syntax, macro))
        }
        var indexes: [IndexDescription] = []
        for syntax in members.indexes {
            guard let index = index(syntax, &diagnostics) else { continue }
            if let other = indexes.first(where: index.hasSameEntries) {
                if let gathered = index.gathered ?? other.gathered {
                    report(.textNameTaken(gathered.name), at: syntax.declaration, &diagnostics)
                    continue
                }
                report(
                    index.kind.isText ? .duplicateTextIndex : .duplicateIndex(syntax.macro), at: syntax.declaration,
                    &diagnostics, fixIts: remove(syntax))
                continue
            }
            // A key with errors is not the intended key.
            if !diagnostics.preventsExpansion, let message = redundancy(of: index) {
                report(message, at: syntax.declaration, &diagnostics, fixIts: remove(syntax))
            }
            indexes.append(index)
        }
        return indexes
    }

    /// Returns a diagnostic if the key already has the index's order or uniqueness; otherwise nil.
    private func redundancy(of index: IndexDescription) -> MacroDiagnostic? {
        if index.kind.isUnique {
            let hasKey = key.allSatisfy { component in index.properties.contains { $0.property == component } }
            return hasKey ? .uniqueKey(context.name) : nil
        }
        return isInKeyOrder(index) ? .indexInKeyOrder(context.name) : nil
    }

    /// Returns the index of a declaration; nil if the declaration has an error.
    private func index(
        _ syntax: IndexSyntax, _ diagnostics: inout DiagnosticList
    ) -> IndexDescription? {
        if let record = syntax.record, !context.isSpelled(record.compactSpelling) {
            report(
                .indexOfAnotherType(syntax.macro, record.trimmedDescription, in: context.name), at: record,
                &diagnostics, fixIts: rename(record))
            return nil
        }
        if syntax.isGathered { return gatheredIndex(syntax, &diagnostics) }
        let properties = properties(syntax, &diagnostics)
        let condition = syntax.condition?.as(ClosureExprSyntax.self)
        if condition == nil, let other = syntax.condition {
            report(.conditionNotClosure(syntax.macro), at: other, &diagnostics)
            return nil
        }
        if syntax.kind.isUnique, syntax.collisions == nil {
            report(.noCollisions, at: syntax.declaration, &diagnostics, fixIts: [insertCollisions(syntax)])
            return nil
        }
        if syntax.kind.isUnique, let use = syntax.collisions?.earlyUse(of: context) {
            report(.ruleBeforeMembers(use.trimmedDescription, in: context.name), at: use, &diagnostics)
            return nil
        }
        guard let properties, let numbers = numbers(syntax, &diagnostics) else { return nil }
        if syntax.kind.isText, !checkTexts(syntax, &diagnostics) { return nil }
        return IndexDescription(
            kind: syntax.kind, properties: properties, numbers: numbers,
            ranked: syntax.ranked?.trimmedDescription,
            collisions: syntax.kind.isUnique ? syntax.collisions?.trimmedDescription : nil,
            textOptions: syntax.kind.isText ? options(of: syntax) : [],
            condition: condition.map { closure in
                ConditionDescription(
                    text: closure.lineSpelling, closure: closure.trimmedDescription,
                    filter: ConditionFilter.description(of: closure, self.properties))
            })
    }

    /// Returns whether the records themselves are in the order of an index.
    private func isInKeyOrder(_ index: IndexDescription) -> Bool {
        let common = Array(zip(index.properties, key))
        guard !index.kind.isText, !index.kind.isTotals, index.ranked == nil, index.condition == nil,
            common.allSatisfy({ $0.property == $1 && !$0.isOfElements })
        else { return false }
        if common.allSatisfy({ !$0.0.isDescending }) { return true }
        // A descending index is redundant only for the whole key: after a part of the key, the rest would still ascend.
        return common.count == key.count && common.allSatisfy(\.0.isDescending)
    }

    // MARK: Properties

    private func properties(
        _ syntax: IndexSyntax, _ diagnostics: inout DiagnosticList
    ) -> [IndexedPropertyDescription]? {
        if syntax.properties.isEmpty {
            if syntax.kind.isTotals { return [] }
            report(.noIndexedProperties(syntax.macro), at: syntax.declaration, &diagnostics)
        }
        return list(syntax.properties, of: syntax, &diagnostics)
    }

    /// Returns the properties that totals add up; nil if one of them has an error.
    private func numbers(
        _ syntax: IndexSyntax, _ diagnostics: inout DiagnosticList
    ) -> [IndexedPropertyDescription]? {
        if syntax.numbers.isEmpty { return [] }
        guard let found = list(syntax.numbers, of: syntax, &diagnostics) else { return nil }
        for (argument, number) in zip(syntax.numbers, found) where number.isDescending {
            let spelling = "\\.\(number.property.code)"
            report(
                .orderedNumber(number.property.name), at: argument.expression, &diagnostics,
                fixIts: argument.expression.as(KeyPathExprSyntax.self).map { [replace($0, with: spelling)] } ?? [])
            return nil
        }
        return found
    }

    /// Returns the properties of some arguments; nil if one of them has an error.
    private func list(
        _ arguments: [LabeledExprSyntax], of syntax: IndexSyntax, _ diagnostics: inout DiagnosticList
    ) -> [IndexedPropertyDescription]? {
        var found: [IndexedPropertyDescription] = []
        for argument in arguments {
            guard let property = property(argument.expression, of: syntax, &diagnostics) else { continue }
            if property.isOfElements, found.contains(where: \.isOfElements) {
                report(.severalElements, at: argument.expression, &diagnostics)
            } else if found.contains(where: { $0.property == property.property }) {
                report(
                    .repeatedIndexed(syntax.macro, property.property.name), at: argument.expression, &diagnostics,
                    fixIts: [remove(argument, from: syntax)])
            } else {
                found.append(property)
            }
        }
        return found.isEmpty || found.count < arguments.count ? nil : found
    }

    private func property(
        _ expression: ExprSyntax, of syntax: IndexSyntax, _ diagnostics: inout DiagnosticList
    ) -> IndexedPropertyDescription? {
        // The compiler reports the brackets itself, with a fix.
        if expression.is(ArrayExprSyntax.self) { return nil }
        guard let literal = expression.as(KeyPathExprSyntax.self) else {
            report(.indexedNotLiteral(syntax.macro), at: expression, &diagnostics)
            return nil
        }
        guard let path = IndexedPath(literal, in: context) else {
            let root = literal.root?.trimmedDescription ?? literal.trimmedDescription
            report(.indexOfAnotherType(syntax.macro, root, in: context.name), at: expression, &diagnostics)
            return nil
        }
        guard let name = path.property else {
            report(.indexedNotLiteral(syntax.macro), at: expression, &diagnostics)
            return nil
        }
        guard let property = properties.first(where: { $0.name == name.plainName }) else {
            reject(name, &diagnostics)
            return nil
        }
        if syntax.kind.isText, !checkText(property, path, &diagnostics) { return nil }
        if let message = refusal(of: path, property, in: syntax) {
            let spelling = "\\.\(property.code)" + (path.isOfDescendingElements ? ".each" : "")
            report(message, at: expression, &diagnostics, fixIts: [replace(literal, with: spelling)])
            return nil
        }
        return IndexedPropertyDescription(
            property: property, isDescending: path.isDescending, isOfElements: path.isOfElements)
    }

    /// Returns the reason for not indexing a path of a property; nil if there is none.
    private func refusal(
        of path: IndexedPath, _ property: PropertyDescription, in syntax: IndexSyntax
    ) -> MacroDiagnostic? {
        if path.isOfDescendingElements { return .descendingElements(property.name) }
        if !path.isWhole { return .partIndexed(path.syntax.trimmedDescription, of: property.name) }
        if path.isDescending, let type = type(of: property), type.isUnordered {
            return .unorderedDescending(property.name, type: type.trimmedDescription)
        }
        return path.isOfElements ? refusal(ofElementsOf: property, in: syntax) : nil
    }

    /// Returns the reason for not indexing the elements of a property; nil if there is none.
    private func refusal(ofElementsOf property: PropertyDescription, in syntax: IndexSyntax) -> MacroDiagnostic? {
        if syntax.kind.isUnique { return .uniqueElements }
        if syntax.kind.isTotals { return .totalsOfElements }
        if syntax.ranked != nil { return .rankedElements }
        guard let type = type(of: property), type.hasNoElements else { return nil }
        return .eachOfNoCollection(property.name, type: type.trimmedDescription)
    }

    func type(of property: PropertyDescription) -> TypeSyntax? {
        members.stored.first { $0.name.plainName == property.name }?.type
    }

    private func reject(_ token: TokenSyntax, _ diagnostics: inout DiagnosticList) {
        let name = token.plainName
        if let property = members.stored.first(where: { $0.name.plainName == name }) {
            // Any other problem of the property has its own diagnostic.
            guard PropertyValidator(members: members).isLeftOut(property) else { return }
            report(
                .constantIndexed(name), at: token, &diagnostics,
                fixIts: [.change(property.declaration.bindingSpecifier, to: .var)])
        } else if members.computedNames.contains(name) {
            report(.computedIndexed(name), at: token, &diagnostics)
        } else if members.relationships.contains(where: { $0.name == name }) {
            report(.relationIndexed(name), at: token, &diagnostics)
        } else {
            let nearest = NearestName.of(name, among: properties.map(\.name))
            let property = properties.first { $0.name == nearest }
            report(
                .unknownProperty(name, in: context.name), at: token, &diagnostics,
                fixIts: property.map { property in
                    let new = TokenSyntax.identifier(property.code)
                    return [.replace(token, with: new, .change(name, to: property.name))]
                } ?? [])
        }
    }

    func report(
        _ message: MacroDiagnostic, at node: some SyntaxProtocol, _ diagnostics: inout DiagnosticList,
        fixIts: [FixIt] = []
    ) {
        diagnostics.add(message, at: node, fixIts: fixIts, preventsExpansion: false)
    }
}
