// The indexes that a change of a record may concern. If all properties of an index have the same stored bytes as
// before, the record keeps its entries, and none is derived.

import TroveCoding

/// The fields from which the indexes of a type are derived.
final class IndexDependencies: Sendable {
    /// For each field, up to the last field of any index, the indexes that have it as a column.
    private let tables: [IndexMask]
    /// The indexes whose entries may depend on any field.
    private let others: IndexMask
    /// The functions that move past the fields.
    private let skips: [PropertySkip]

    /// Creates the dependencies of a type without indexes.
    init() { (tables, others, skips) = ([], .none, []) }

    /// Finds the fields of indexes. The key is left out: a record that is replaced has the same key.
    init<Record>(_ key: [KeyProperty], _ fields: [FieldProperty], _ indexes: [RecordIndex<Record>]) {
        let properties = AccessPath.properties(key, fields)
        var tables: [IndexMask] = []
        var others = IndexMask.none
        for (index, table) in indexes.enumerated() {
            for property in table.properties {
                switch properties.property(of: property.column)?.place {
                case .key?: break
                case .field(let field)?:
                    while tables.count <= field { tables.append(.none) }
                    tables[field].formUnion(IndexMask(index))
                case nil: others.formUnion(IndexMask(index))
                }
            }
            if table.condition != nil { others.formUnion(IndexMask(index)) }
        }
        self.tables = tables
        self.others = others
        skips = fields.prefix(tables.count).map(\.skip)
    }

    /// Returns the indexes that a change may concern.
    ///
    /// - Parameter values: The values of a record before and after the change.
    /// - Throws: The first error of the old value, up to the last field of any index.
    func changed(in values: inout ValuePair) throws(CodingError) -> IndexMask {
        if values.isSame { return .none }
        var changed = others
        for index in tables.indices {
            let isSame = try values.skip(skips[index], compares: !tables[index].isEmpty)
            if !isSame { changed.formUnion(tables[index]) }
        }
        return changed
    }
}
