// `indexes`. It stands in the struct itself, where conditions and collision rules see the names that they saw
// where they were written.

import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes the indexes of a record.
enum IndexGeneration {
    /// Nothing for a record without tables.
    static func members(of record: RecordDescription) -> [DeclSyntax] {
        guard !record.indexes.isEmpty else { return [] }
        let head = "nonisolated \(record.context.access.memberPrefix)static let indexes"
        let tables = SourceText.indented([record.indexes.map(table).joined(separator: ",\n")])
        return ["\(raw: head): [Trove.RecordIndex<Self>] = [\n\(raw: tables)\n]"]
    }

    private static func table(_ table: IndexDescription) -> String {
        var arguments = ["[\n" + SourceText.indented([table.properties.map(property).joined(separator: ",\n")]) + "\n]"]
        if case .unique(let collisions) = table.kind { arguments.append("collisions: \(collisions)") }
        if let condition = table.condition {
            let filter = condition.filter.map { ", filter: \($0.code)\($0.isExact ? ", isExact: true" : "")" } ?? ""
            let text = SourceText.literal(condition.text)
            arguments.append("where: Trove.IndexCondition(\(text)\(filter)) \(condition.closure)")
        }
        return ".\(table.isUnique ? "unique" : "index")(\(arguments.joined(separator: ", ")))"
    }

    private static func property(_ indexed: IndexedPropertyDescription) -> String {
        let name = SourceText.literal(indexed.property.storedName + (indexed.isDescending ? " desc" : ""))
        let path = "." + indexed.property.code + (indexed.isDescending ? ".desc" : "")
        // What sorts downwards has an order; anything else may be without one.
        let coding = indexed.isDescending ? "" : ", " + SourceText.coding(indexed.property.type)
        return SourceText.block("Trove.IndexedProperty(\(name), \\\(path)\(coding))", ["$0\(path)"])
    }
}
