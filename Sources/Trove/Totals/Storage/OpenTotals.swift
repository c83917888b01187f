// The tables of an index of totals.
//
//     part 0    a row for each group (GroupTotals.swift)
//     part 1    the records that writes have counted before the build reached them (CountedRecords.swift)

import LMDB
import TroveCoding

/// The tables of an index of totals of an open store.
final class OpenTotals: Sendable {
    private static let countedPart: UInt32 = 1

    /// The name of the first table.
    let name: TableName
    /// A row for each group.
    let rows: RowTable
    /// The records that writes have counted before the build reached them.
    let counted: RowTable

    /// Returns the names of the tables of an index.
    static func names(_ name: TableName) -> [TableName] { [name, name.part(countedPart)] }

    /// Opens the tables of an index; returns nil if it lacks one.
    init?(_ index: CatalogIndex, _ tables: IndexTables) {
        guard let counted = tables.parts[tables.name.part(Self.countedPart)] else { return nil }
        func table(_ database: Database, _ name: TableName) -> RowTable {
            RowTable(
                database, name, type: tables.type, index: index.text, verifiesChecksums: tables.verifiesChecksums)
        }
        name = tables.name
        rows = table(tables.database, tables.name)
        self.counted = table(counted, tables.name.part(Self.countedPart))
    }
}

extension OpenTotals {
    /// Reads the row of a group. Throws for a damaged row.
    ///
    /// - Parameter sums: The number of summed properties.
    func row(
        _ key: RawSpan, _ value: RawSpan, sums: Int
    ) throws -> (group: [UInt8], totals: GroupTotals) {
        let key = copiedBytes(key)
        let value = copiedBytes(value)
        let content = try ByteView.with(value) { value -> [UInt8] in
            try ByteView.with(key) { key -> [UInt8] in try rows.content(of: value, key: key).copy() }
        }
        do {
            return try ByteView.with(content) { content -> (group: [UInt8], totals: GroupTotals) in
                try GroupTotals.read(content, key: key, sums: sums)
            }
        } catch is CodingError {
            throw rows.damaged(key)
        }
    }
}

extension OpenIndex {
    /// The tables of an index of totals; nil for other kinds.
    var totals: OpenTotals? { parts as? OpenTotals }
}
