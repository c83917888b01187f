// An index in the catalog, and the search for the stored index of a declared index.

import TroveCoding

/// An index of a record type.
struct CatalogIndex: Hashable {
    var kind: IndexKind
    var name: String
    var definition: String
    /// The stored names of the indexed properties.
    var properties: [String]
    /// Former names. A program that declares the index under such a name is out of date.
    var formerNames: [String] = []
    /// Whether the index has the entries of all records.
    var isReady = false
    /// The position of the build, if the index is not ready: the number of records indexed, and the key of the last
    /// record.
    var done: UInt64 = 0
    var position: [UInt8] = []
    /// Whether the index may hold duplicate values although its rule forbids them. That is so if the index was built
    /// from existing records, or if a custom collision rule decided, until a search finds no duplicates.
    var mayHaveDuplicates: Bool

    /// Creates an index without entries, for a type with records.
    init(_ table: IndexDescriptor, formerNames: [String] = []) {
        kind = table.kind
        name = table.name
        definition = table.definition
        properties = table.properties
        self.formerNames = formerNames
        mayHaveDuplicates = kind == .unique
    }

    /// The index without its entries, as before a build.
    var emptied: CatalogIndex {
        var table = self
        (table.isReady, table.done, table.position, table.mayHaveDuplicates) = (false, 0, [], kind == .unique)
        return table
    }

    /// The name in errors and plans.
    var text: String { "\(kind)(\(name))" }

    func isNamed(_ table: IndexDescriptor) -> Bool { kind == table.kind && name == table.name }

    /// Whether a declared index may be this index with another order, another condition, or new names of its
    /// properties.
    fileprivate func mayHaveBecome(_ table: IndexDescriptor) -> Bool {
        kind == table.kind && (properties == table.properties || properties == table.oldProperties)
            && !formerNames.contains(table.name)
    }
}

extension CatalogType {
    /// Returns the number of each index of a schema, or nil if the index is not stored. An index is found by its name,
    /// or else as a stored index over the same properties that is not declared under its own name.
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

    /// Returns the indexes that a schema does not have, by number.
    func undeclaredIndexes(by schema: RecordSchema) -> [UInt32: CatalogIndex] {
        let declared = Set(indexNumbers(of: schema))
        return indexes.filter { !declared.contains($0.key) }
    }

    /// Returns the numbers of a schema's indexes, in their order; nil unless all are stored with these definitions.
    func currentIndexNumbers(of schema: RecordSchema) -> [UInt32]? {
        let numbers = zip(schema.indexes, indexNumbers(of: schema)).compactMap { table, number in
            number.flatMap { hasTable(table, $0) ? $0 : nil }
        }
        return numbers.count == schema.indexes.count ? numbers : nil
    }

    /// Whether every index whose rule allows duplicates is marked as possibly holding some.
    func recordsDuplicates(of schema: RecordSchema) -> Bool {
        zip(schema.indexes, indexNumbers(of: schema)).allSatisfy { table, number in
            !table.allowsDuplicates || number.flatMap { indexes[$0]?.mayHaveDuplicates } == true
        }
    }

    /// Whether an index is stored with this definition.
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
        // Missing in older stores: assume that there may be duplicates.
        mayHaveDuplicates = reader.remaining > 0 ? try Bool(decoding: &reader) : kind == .unique
    }
}
