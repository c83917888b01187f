// Which secondary tables a change of a record can concern: where all that a table is made of has the same stored bytes as
// before, its entries stay, and nobody asks for them.

import TroveCoding

/// Secondary tables of a type, a bit each in their order.
struct TableSet: Sendable {
    private var bits: UInt64

    static let all = TableSet(bits: .max)
    static let none = TableSet(bits: 0)

    /// One table. From the 64th on, they share a bit.
    init(_ index: Int) { bits = 1 << UInt64(min(index, 63)) }

    private init(bits: UInt64) { self.bits = bits }

    var isEmpty: Bool { bits == 0 }

    func contains(_ index: Int) -> Bool { bits & (1 << UInt64(min(index, 63))) != 0 }

    mutating func formUnion(_ other: TableSet) { bits |= other.bits }
}

/// What the secondary tables of a type are made of.
final class TableDependencies: Sendable {
    /// For each field, up to the last one that matters, the tables with entries that it is a part of.
    private let tables: [TableSet]
    /// The tables whose entries may depend on anything.
    private let others: TableSet
    /// How to skip the fields.
    private let skips: [PropertySkip]

    /// There are no tables.
    init() { (tables, others, skips) = ([], .none, []) }

    /// Properties of the key do not count: a record that is replaced has the same ones.
    init<Record>(_ key: [KeyProperty], _ fields: [FieldProperty], _ secondaryTables: [SecondaryTable<Record>]) {
        let properties = CandidateTable.properties(key, fields)
        var tables: [TableSet] = []
        var others = TableSet.none
        for (index, table) in secondaryTables.enumerated() {
            for property in table.properties {
                switch TableComponent(property, among: properties).property?.place {
                case .key?: break
                case .field(let field)?:
                    while tables.count <= field { tables.append(.none) }
                    tables[field].formUnion(TableSet(index))
                case nil: others.formUnion(TableSet(index))
                }
            }
            if table.condition != nil { others.formUnion(TableSet(index)) }
        }
        self.tables = tables
        self.others = others
        skips = fields.prefix(tables.count).map(\.skip)
    }

    /// The tables that a change may concern.
    ///
    /// - Parameter values: Those of a record before the change and after it.
    /// - Throws: What is wrong with the old value, up to the last field that matters.
    func changed(in values: inout ValuePair) throws(CodingError) -> TableSet {
        if values.isSame { return .none }
        var changed = others
        for index in tables.indices {
            let isSame = try values.skip(skips[index], compares: !tables[index].isEmpty)
            if !isSame { changed.formUnion(tables[index]) }
        }
        return changed
    }
}
