// The indexes affected by a change of a record. If all properties of an index keep their stored bytes, the record keeps
// its entries, and none is derived.

import TroveCoding

/// The fields from which the indexes of a type are derived.
final class IndexDependencies: Sendable {
    /// For each field, up to the last field of any index, the indexes with the field as a column.
    private let indexes: [IndexMask]
    /// The indexes whose entries may depend on any field.
    private let others: IndexMask
    /// The functions to skip the fields.
    private let skips: [PropertySkip]

    /// Creates the dependencies of a type without indexes.
    init() { (indexes, others, skips) = ([], .none, []) }

    /// Finds the fields of indexes. The key is left out: a replaced record keeps its key.
    init<Record>(_ key: [KeyProperty], _ fields: [FieldProperty], _ indexes: [RecordIndex<Record>]) {
        let properties = AccessPath.properties(key, fields)
        var masks: [IndexMask] = []
        var others = IndexMask.none
        for (place, index) in indexes.enumerated() where !index.descriptor.needsKeysOnly {
            for property in index.properties {
                switch properties.property(of: property.column)?.place {
                case .key?: break
                case .field(let field)?:
                    while masks.count <= field { masks.append(.none) }
                    masks[field].formUnion(IndexMask(place))
                case nil: others.formUnion(IndexMask(place))
                }
            }
            if index.condition != nil { others.formUnion(IndexMask(place)) }
        }
        self.indexes = masks
        self.others = others
        skips = fields.prefix(masks.count).map(\.skip)
    }

    /// Returns the indexes possibly affected by a change.
    ///
    /// - Parameter values: The values of a record before and after the change.
    /// - Throws: The first error of the old value, up to the last field of any index.
    func changed(in values: inout ValuePair) throws(CodingError) -> IndexMask {
        if values.isSame { return .none }
        var changed = others
        for field in indexes.indices {
            let isSame = try values.skip(skips[field], compares: !indexes[field].isEmpty)
            if !isSame { changed.formUnion(indexes[field]) }
        }
        return changed
    }
}
