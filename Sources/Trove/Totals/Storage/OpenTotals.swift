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
    /// Reads the row of a group into totals with the same number of columns. Throws for a damaged row.
    ///
    /// - Returns: The group, in the row.
    func read(_ key: ByteView, _ value: ByteView, into totals: inout GroupTotals) throws -> ByteView {
        let content = try rows.content(of: value, key: key)
        return try rows.reading(key) { () throws(CodingError) in try totals.read(content, key: key) }
    }
}

extension OpenIndex {
    /// The tables of an index of totals; nil for other kinds.
    var totals: OpenTotals? { parts as? OpenTotals }
}
