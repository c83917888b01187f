// A secondary table in the catalog, and which of those that a program declares it is.

import TroveCoding

/// A secondary table of a record type.
struct CatalogSecondaryTable: Hashable {
    var kind: SecondaryKind
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
    var mayRepeat: Bool

    /// A table that has no entries yet, of a type that has records.
    init(_ table: SecondaryDescription, formerNames: [String] = []) {
        kind = table.kind
        name = table.name
        definition = table.definition
        properties = table.properties
        self.formerNames = formerNames
        mayRepeat = kind == .unique
    }

    /// The table without its entries, before they are made of the records.
    var emptied: CatalogSecondaryTable {
        var table = self
        (table.isReady, table.done, table.position, table.mayRepeat) = (false, 0, [], kind == .unique)
        return table
    }

    /// As errors and plans show it.
    var text: String { "\(kind)(\(name))" }

    func isNamed(_ table: SecondaryDescription) -> Bool { kind == table.kind && name == table.name }

    /// Whether a table that is declared may be this one with another order, another condition, or new names of its
    /// properties.
    fileprivate func mayHaveBecome(_ table: SecondaryDescription) -> Bool {
        kind == table.kind && (properties == table.properties || properties == table.oldProperties)
            && !formerNames.contains(table.name)
    }
}

extension CatalogType {
    /// The number of each table that a schema declares, as far as it is stored: under its name, or else as another one of
    /// the same properties that nobody declares any more.
    func secondaryNumbers(of schema: RecordSchema) -> [UInt32?] {
        let tables = schema.secondaryTables
        var free = secondaryTables
        var numbers = tables.map { table in free.first { $0.value.isNamed(table) }?.key }
        for number in numbers { if let number { free[number] = nil } }
        for (index, table) in tables.enumerated() where numbers[index] == nil {
            numbers[index] = free.filter { $0.value.mayHaveBecome(table) }.keys.min()
            if let number = numbers[index] { free[number] = nil }
        }
        return numbers
    }

    /// The secondary tables that a schema does not have, by number.
    func undeclaredTables(by schema: RecordSchema) -> [UInt32: CatalogSecondaryTable] {
        let declared = Set(secondaryNumbers(of: schema))
        return secondaryTables.filter { !declared.contains($0.key) }
    }

    /// The numbers of the tables that a schema declares, in their order; nil unless all are there as they are described.
    func presentNumbers(of schema: RecordSchema) -> [UInt32]? {
        let numbers = zip(schema.secondaryTables, secondaryNumbers(of: schema)).compactMap { table, number in
            number.flatMap { hasTable(table, $0) ? $0 : nil }
        }
        return numbers.count == schema.secondaryTables.count ? numbers : nil
    }

    /// Whether it is noted of all tables of a schema that lets values stand twice that they may.
    func notesRepetitions(of schema: RecordSchema) -> Bool {
        zip(schema.secondaryTables, secondaryNumbers(of: schema)).allSatisfy { table, number in
            !table.allowsRepetition || number.flatMap { secondaryTables[$0]?.mayRepeat } == true
        }
    }

    /// Whether a table is stored as it is described.
    func hasTable(_ table: SecondaryDescription, _ number: UInt32) -> Bool {
        guard let stored = secondaryTables[number] else { return false }
        return stored.isNamed(table) && stored.definition == table.definition
    }
}

extension CatalogSecondaryTable {
    init(decoding reader: inout ValueReader) throws(CodingError) {
        let kind = SecondaryKind(rawValue: try UInt8(decoding: &reader))
        guard let kind else { throw CodingError(.malformed(expected: "a kind of secondary table")) }
        self.kind = kind
        name = try String(decoding: &reader)
        definition = try String(decoding: &reader)
        properties = try [String](decoding: &reader)
        formerNames = try [String](decoding: &reader)
        isReady = try Bool(decoding: &reader)
        done = try CatalogTable.count(decoding: &reader)
        position = try [UInt8](decoding: &reader)
        // Where it is not said, nobody has looked.
        mayRepeat = reader.remaining > 0 ? try Bool(decoding: &reader) : kind == .unique
    }
}
