// An index in the catalog, and which of those that a program declares it is.

import TroveCoding

/// An index of a record type.
struct CatalogIndex: Hashable {
    var kind: IndexKind
    var name: String
    var definition: String
    /// The stored names of its properties.
    var properties: [String]
    /// The names that it had before its definition changed: who declares it by one of them is an older program.
    var formerNames: [String] = []
    /// Whether it has the entries of all records.
    var isReady = false
    /// Where it is not: how many records it has them of, and the key of the last one.
    var done: UInt64 = 0
    var position: [UInt8] = []
    /// Whether a unique value may stand in it twice, though its rule may forbid that: it was made of stored records, or a
    /// closure has decided about collisions, and nobody has looked it through since.
    var mayHaveDuplicates: Bool

    /// A table that has no entries yet, of a type that has records.
    init(_ table: IndexDescriptor, formerNames: [String] = []) {
        kind = table.kind
        name = table.name
        definition = table.definition
        properties = table.properties
        self.formerNames = formerNames
        mayHaveDuplicates = kind == .unique
    }

    /// The table without its entries, before they are made of the records.
    var emptied: CatalogIndex {
        var table = self
        (table.isReady, table.done, table.position, table.mayHaveDuplicates) = (false, 0, [], kind == .unique)
        return table
    }

    /// As errors and plans show it.
    var text: String { "\(kind)(\(name))" }

    func isNamed(_ table: IndexDescriptor) -> Bool { kind == table.kind && name == table.name }

    /// Whether a table that is declared may be this one with another order, another condition, or new names of its
    /// properties.
    fileprivate func mayHaveBecome(_ table: IndexDescriptor) -> Bool {
        kind == table.kind && (properties == table.properties || properties == table.oldProperties)
            && !formerNames.contains(table.name)
    }
}

extension CatalogType {
    /// The number of each table that a schema declares, as far as it is stored: under its name, or else as another one of
    /// the same properties that nobody declares any more.
    func indexNumbers(of schema: RecordSchema) -> [UInt32?] {
        let tables = schema.indexes
        var free = indexes
        var numbers = tables.map { table in free.first { $0.value.isNamed(table) }?.key }
        for number in numbers { if let number { free[number] = nil } }
        for (index, table) in tables.enumerated() where numbers[index] == nil {
            numbers[index] = free.filter { $0.value.mayHaveBecome(table) }.keys.min()
            if let number = numbers[index] { free[number] = nil }
        }
        return numbers
    }

    /// The indexes that a schema does not have, by number.
    func undeclaredIndexes(by schema: RecordSchema) -> [UInt32: CatalogIndex] {
        let declared = Set(indexNumbers(of: schema))
        return indexes.filter { !declared.contains($0.key) }
    }

    /// The numbers of the tables that a schema declares, in their order; nil unless all are there as they are described.
    func currentIndexNumbers(of schema: RecordSchema) -> [UInt32]? {
        let numbers = zip(schema.indexes, indexNumbers(of: schema)).compactMap { table, number in
            number.flatMap { hasTable(table, $0) ? $0 : nil }
        }
        return numbers.count == schema.indexes.count ? numbers : nil
    }

    /// Whether it is noted of all tables of a schema that lets values stand twice that they may.
    func recordsDuplicates(of schema: RecordSchema) -> Bool {
        zip(schema.indexes, indexNumbers(of: schema)).allSatisfy { table, number in
            !table.allowsDuplicates || number.flatMap { indexes[$0]?.mayHaveDuplicates } == true
        }
    }

    /// Whether a table is stored as it is described.
    func hasTable(_ table: IndexDescriptor, _ number: UInt32) -> Bool {
        guard let stored = indexes[number] else { return false }
        return stored.isNamed(table) && stored.definition == table.definition
    }
}

extension CatalogIndex {
    init(decoding reader: inout ValueReader) throws(CodingError) {
        let kind = IndexKind(rawValue: try UInt8(decoding: &reader))
        guard let kind else { throw CodingError(.malformed(expected: "a kind of index")) }
        self.kind = kind
        name = try String(decoding: &reader)
        definition = try String(decoding: &reader)
        properties = try [String](decoding: &reader)
        formerNames = try [String](decoding: &reader)
        isReady = try Bool(decoding: &reader)
        done = try CatalogStorage.count(decoding: &reader)
        position = try [UInt8](decoding: &reader)
        // Where it is not said, nobody has looked.
        mayHaveDuplicates = reader.remaining > 0 ? try Bool(decoding: &reader) : kind == .unique
    }
}
