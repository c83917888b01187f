// Which indexes a change of a record can concern: where all that a table is made of has the same stored bytes as
// before, its entries stay, and nobody asks for them.

import TroveCoding

/// Indexes of a type, a bit each in their order.
struct IndexMask: Sendable {
    private var bits: UInt64

    static let all = IndexMask(bits: .max)
    static let none = IndexMask(bits: 0)

    /// One table. From the 64th on, they share a bit.
    init(_ index: Int) { bits = 1 << UInt64(min(index, 63)) }

    private init(bits: UInt64) { self.bits = bits }

    var isEmpty: Bool { bits == 0 }

    func contains(_ index: Int) -> Bool { bits & (1 << UInt64(min(index, 63))) != 0 }

    mutating func formUnion(_ other: IndexMask) { bits |= other.bits }
}

/// What the indexes of a type are made of.
final class IndexDependencies: Sendable {
    /// For each field, up to the last one that matters, the tables with entries that it is a part of.
    private let tables: [IndexMask]
    /// The tables whose entries may depend on anything.
    private let others: IndexMask
    /// How to skip the fields.
    private let skips: [PropertySkip]

    /// There are no tables.
    init() { (tables, others, skips) = ([], .none, []) }

    /// Properties of the key do not count: a record that is replaced has the same ones.
    init<Record>(_ key: [KeyProperty], _ fields: [FieldProperty], _ indexes: [RecordIndex<Record>]) {
        let properties = AccessPath.properties(key, fields)
        var tables: [IndexMask] = []
        var others = IndexMask.none
        for (index, table) in indexes.enumerated() {
            for property in table.properties {
                switch PathComponent(property, among: properties).property?.place {
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

    /// The tables that a change may concern.
    ///
    /// - Parameter values: Those of a record before the change and after it.
    /// - Throws: What is wrong with the old value, up to the last field that matters.
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
