// The member `indexes`. It is a member of the struct itself, so that conditions and collision rules see the same names
// as in the source.

import SwiftSyntax
import SwiftSyntaxBuilder

/// Generates the indexes of a record.
enum IndexGeneration {
    /// Returns no member for a record without indexes.
    static func members(of record: RecordDescription) -> [DeclSyntax] {
        guard !record.indexes.isEmpty else { return [] }
        let head = "nonisolated \(record.context.access.memberPrefix)static let indexes: [Trove.RecordIndex<Self>] ="
        let indexes = list(record.indexes.map(index))
        let choices = choices(in: record)
        guard !choices.isEmpty else { return ["\(raw: head) \(raw: indexes)"] }
        return ["\(raw: SourceText.block(head, choices + ["return \(indexes)"]))()"]
    }

    /// Returns the statements that choose the codings of types that the macro does not know.
    ///
    /// In one expression with the index, the compiler would choose any coding that compiles: for a `Codable` type, the
    /// coding of a type that cannot be stored.
    private static func choices(in record: RecordDescription) -> [String] {
        var chosen: Set<String> = []
        return record.indexes.filter { !$0.kind.isText }.flatMap(\.properties).compactMap { indexed in
            guard let coding = chosenCoding(of: indexed), chosen.insert(coding).inserted else { return nil }
            return "let \(coding) = \(SourceText.coding(indexed.property.type))"
        }
    }

    /// Returns the name of the coding chosen for a property; nil if its type has one coding, or needs none.
    private static func chosenCoding(of indexed: IndexedPropertyDescription) -> String? {
        let property = indexed.property
        guard !property.hasStandardType, !indexed.isDescending else { return nil }
        let name = property.name + "Coding"
        return property.code == property.name ? name : "`\(name)`"
    }

    private static func index(_ index: IndexDescription) -> String {
        var arguments = index.gathered.map { [SourceText.literal($0.name)] } ?? properties(of: index)
        arguments += index.textOptions
        if let gathered = index.gathered { arguments.append("gathering: \(gathered.closure)") }
        if let ranked = index.ranked { arguments.append("ranked: \(ranked)") }
        if let collisions = index.collisions { arguments.append("collisions: \(collisions)") }
        if let condition = index.condition {
            let filter = condition.filter.map { ", filter: \($0.code)\($0.isExact ? ", isExact: true" : "")" } ?? ""
            let text = SourceText.literal(condition.text)
            arguments.append("where: Trove.IndexCondition(\(text)\(filter)) \(condition.closure)")
        }
        return ".\(index.kind.function)(\(arguments.joined(separator: ", ")))"
    }

    /// Returns the arguments for the properties: a list, or the elements of a property between two lists.
    private static func properties(of index: IndexDescription) -> [String] {
        if index.kind.isText { return [list(index.properties.map { direct($0, "TextProperty") })] }
        if index.kind.isTotals {
            let groups = index.properties.isEmpty ? [] : ["by: " + list(index.properties.map(property))]
            let numbers = index.numbers.map { direct($0, "SummedProperty") }
            return groups + (numbers.isEmpty ? [] : ["of: " + list(numbers)])
        }
        let properties = index.properties.map(property)
        guard let place = index.properties.firstIndex(where: \.isOfElements) else { return [list(properties)] }
        let (before, after) = (properties[..<place], properties[(place + 1)...])
        return (before.isEmpty ? [] : [list(before)]) + ["each: \(properties[place])"]
            + (after.isEmpty ? [] : [list(after)])
    }

    private static func list(_ elements: some Collection<String>) -> String {
        "[\n" + SourceText.indented([elements.joined(separator: ",\n")]) + "\n]"
    }

    /// Returns a property whose type alone says how it is indexed.
    private static func direct(_ indexed: IndexedPropertyDescription, _ type: String) -> String {
        let value = "." + indexed.property.code
        let name = SourceText.literal(indexed.property.storedName)
        return SourceText.block("Trove.\(type)(\(name), \\\(value))", ["$0\(value)"])
    }

    private static func property(_ indexed: IndexedPropertyDescription) -> String {
        let name = SourceText.literal(indexed.property.storedName)
        let value = "." + indexed.property.code
        // A descending property has an order. Any other property may have none, and passes its coding.
        let coding = chosenCoding(of: indexed) ?? SourceText.coding(indexed.property.type)
        let arguments =
            indexed.isDescending ? "\(name), descending: \\\(value)" : "\(name), \\\(value), \(coding)"
        let type = indexed.isOfElements ? "IndexedElements" : "IndexedProperty"
        return SourceText.block("Trove.\(type)(\(arguments))", ["$0\(value)"])
    }
}
