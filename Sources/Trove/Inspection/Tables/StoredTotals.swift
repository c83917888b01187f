// The rows of an index of totals, for code that reads them in place.

import LMDB
import TroveCoding

/// An index of totals: a row for each group of records.
package struct StoredTotals: Sendable {
    /// The name, such as `totals(city of cents)`.
    package let name: String
    /// The properties of the groups.
    package let columns: [StoredTable.Index.Column]
    /// The rows.
    package let rows: Database
    private let totals: OpenedTables<OpenTotals>
    private let sumCount: Int

    /// Creates an index of totals; nil for an index of another kind, or without the totals of all records.
    init?(
        _ stored: CatalogIndex, _ entries: Database, _ open: (_ verifiesChecksums: Bool) -> OpenIndex?,
        in layout: RecordLayout
    ) {
        guard stored.isReady, stored.kind.hasGroups,
            let definition = IndexDefinition(parsing: stored.definition, in: layout), definition.condition == nil,
            let totals = OpenedTables(open, \.totals)
        else { return nil }
        name = stored.text
        columns = definition.columns.dropLast(definition.sumCount).map(StoredTable.Index.Column.init)
        sumCount = definition.sumCount
        rows = entries
        self.totals = totals
    }

    /// The byte before the components of a group in the key of its row.
    package static var mark: UInt8 { GroupTotals.mark }

    /// Returns whether the rows have all records: a transaction can have emptied them.
    package func isComplete(in context: ReadContext) throws -> Bool {
        try translatingErrors {
            try context.flushOwnParts()
            return try CountedRecords(totals.opened(for: context), context.keyspace).isComplete
        }
    }

    /// Returns the group of a row, and the number of its records.
    ///
    /// - Returns: The properties of the group as key components.
    /// - Throws: ``StoreError`` for a damaged row.
    package func group(of row: Entry, in context: ReadContext) throws -> (key: [UInt8], count: Int) {
        let open = totals.opened(for: context)
        return try translatingErrors {
            var totals = GroupTotals(sums: sumCount)
            let group = try open.read(row.key, row.value, into: &totals)
            guard totals.count <= GroupTotals.countLimit else { throw open.rows.damaged(row.key) }
            return (group.copy(), totals.count)
        }
    }
}
