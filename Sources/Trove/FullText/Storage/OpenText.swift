// The tables of a full-text index of an open store.

import LMDB

/// The tables of a full-text index of an open store.
final class OpenText: Sendable {
    let parts: TextParts
    /// The numbers of the type's records.
    let numbers: RecordNumberParts

    /// Creates the tables of an index; nil unless all of them are known.
    ///
    /// - Parameters:
    ///   - name: The name of the index's first table.
    ///   - tables: The tables of the type.
    init?(
        _ name: TableName, _ index: CatalogIndex, type: String, _ tables: [TableName: Database],
        verifiesChecksums: Bool
    ) {
        let names = TextParts.names(name, isGathered: index.isGathered) + RecordNumberParts.names(name.keyPrefix)
        guard names.allSatisfy({ tables[$0] != nil }) else { return nil }
        func open(_ name: TableName) throws(UnknownTable) -> Database {
            guard let table = tables[name] else { throw UnknownTable() }
            return table
        }
        do throws(UnknownTable) {
            parts = try TextParts(
                name, type: type, index: index.text, fields: index.properties.count,
                keepsOrder: IndexDefinition.Analyzer(in: index.definition)?.keepsOrder ?? true,
                isGathered: index.isGathered, verifiesChecksums: verifiesChecksums, open)
            numbers = try RecordNumberParts(
                RecordNumberParts.name(name.keyPrefix), type: type, verifiesChecksums: verifiesChecksums, open)
        } catch {
            return nil
        }
    }

    private struct UnknownTable: Error {}
}

extension OpenIndex {
    /// The tables of a full-text index; nil for other kinds.
    var text: OpenText? { parts as? OpenText }

    /// Whether the index has gathered text.
    var isGathered: Bool { text?.parts.waiting != nil }
}

extension CatalogIndex {
    /// Whether the index has gathered text.
    var isGathered: Bool { kind == .fullText && IndexColumn.isGathered(definition, named: name) }
}

extension [UInt32: CatalogIndex] {
    /// Whether one of the indexes is a full-text index.
    var hasTexts: Bool { values.contains { $0.kind == .fullText } }
}
