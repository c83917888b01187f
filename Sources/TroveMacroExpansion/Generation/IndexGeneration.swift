// The member `indexes`. It is a member of the struct itself, so that conditions and collision rules see the same names
// as in the source.

import SwiftSyntax
import SwiftSyntaxBuilder

/// Generates the indexes of a record.
enum IndexGeneration {
    /// Returns no member for a record without indexes.
    static func members(of record: RecordDescription) -> [DeclSyntax] {
        guard !record.indexes.isEmpty else { return [] }
        let head = "nonisolated \(record.context.access.memberPrefix)static let indexes"
        let indexes = SourceText.indented([record.indexes.map(index).joined(separator: ",\n")])
        return ["\(raw: head): [Trove.RecordIndex<Self>] = [\n\(raw: indexes)\n]"]
    }

    private static func index(_ index: IndexDescription) -> String {
        var arguments = index.gathered.map { [SourceText.literal($0.name)] } ?? properties(of: index)
        arguments += index.textOptions
        if let gathered = index.gathered { arguments.append("gathering: \(gathered.closure)") }
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
        if index.kind.isText { return [list(index.properties[...], textProperty)] }
        guard let place = index.properties.firstIndex(where: \.isOfElements) else {
            return [list(index.properties[...])]
        }
        let (before, after) = (index.properties[..<place], index.properties[(place + 1)...])
        return (before.isEmpty ? [] : [list(before)]) + ["each: \(property(index.properties[place]))"]
            + (after.isEmpty ? [] : [list(after)])
    }

    private static func list(
        _ properties: ArraySlice<IndexedPropertyDescription>,
        _ property: (IndexedPropertyDescription) -> String = property
    ) -> String {
        "[\n" + SourceText.indented([properties.map(property).joined(separator: ",\n")]) + "\n]"
    }

    private static func textProperty(_ indexed: IndexedPropertyDescription) -> String {
        let value = "." + indexed.property.code
        let name = SourceText.literal(indexed.property.storedName)
        return SourceText.block("Trove.TextProperty(\(name), \\\(value))", ["$0\(value)"])
    }

    private static func property(_ indexed: IndexedPropertyDescription) -> String {
        let name = SourceText.literal(indexed.property.storedName)
        let value = "." + indexed.property.code
        // A descending property has an order. Any other property may have none, and passes its coding.
        let arguments =
            indexed.isDescending
            ? "\(name), descending: \\\(value)" : "\(name), \\\(value), " + SourceText.coding(indexed.property.type)
        let type = indexed.isOfElements ? "IndexedElements" : "IndexedProperty"
        return SourceText.block("Trove.\(type)(\(arguments))", ["$0\(value)"])
    }
}
