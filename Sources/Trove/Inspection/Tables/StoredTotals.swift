// The rows of an index of totals, for code that reads them in place.

import LMDB
import TroveCoding

/// An index of totals: a row for each group of records.
package struct StoredTotals: Sendable {
    /// The totals of a group.
    package struct Group {
        /// The properties of the group as key components.
        package let key: [UInt8]
        fileprivate let totals: GroupTotals

        /// The number of records.
        package var count: Int { totals.count }
    }

    /// The numbers of a summed property in a group.
    package struct Numbers {
        /// The number of values that are not nil.
        package let count: Int
        /// The sum: an integer, a `Double` or a `Decimal`; nil without values.
        package let sum: FieldValue?
    }

    /// The name, such as `totals(city of cents)`.
    package let name: String
    /// The properties of the groups.
    package let columns: [StoredTable.Index.Column]
    /// The stored names of the summed properties.
    package let sums: [String]
    /// The rows.
    package let rows: Database
    private let totals: OpenedTables<OpenTotals>

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
        sums = definition.columns.suffix(definition.sumCount).map(\.property)
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

    /// Returns the totals of a row.
    ///
    /// - Throws: ``StoreError`` for a damaged row.
    package func group(of row: Entry, in context: ReadContext) throws -> Group {
        let open = totals.opened(for: context)
        return try row.key.withSpan { key in
            try row.value.withSpan { value in
                let (group, totals) = try open.row(key, value, sums: sums.count)
                guard totals.count <= GroupTotals.countLimit else { throw open.rows.damaged(copiedBytes(key)) }
                return Group(key: group, totals: totals)
            }
        }
    }

    /// Returns the numbers of the summed properties in a group.
    ///
    /// - Parameter type: The name of the record type, for errors.
    /// - Throws: ``StoreError`` for a sum that is beyond the greatest number.
    package func numbers(of group: Group, type: String) throws -> [Numbers] {
        try zip(sums, group.totals.columns).map { property, column in
            guard let sum = column.sum, column.count > 0 else { return Numbers(count: column.count, sum: nil) }
            guard let value = sum.value else { throw StoreError.query(.sumOverflow(type: type, property: property)) }
            return Numbers(count: column.count, sum: value)
        }
    }
}

extension AnySum {
    /// The sum as a value; nil if it is beyond the greatest integer of 64 bits, or the greatest decimal number.
    fileprivate var value: FieldValue? {
        switch self {
        case .integer(let sum): sum.integer(as: Int64.self).map { .integer(Int128($0)) }
        case .floatingPoint(let sum): .double(sum.number())
        case .decimal(let sum): sum.decimal.map { .decimal($0) }
        }
    }
}
