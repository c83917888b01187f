// An index in the catalog, and the search for the stored index of a declared index.

import TroveCoding

/// An index of a record type in the catalog.
struct CatalogIndex: Hashable {
    var kind: IndexKind
    /// The persisted name and definition (IndexDefinition.swift).
    var name: String
    var definition: String
    /// The stored names of the properties.
    var properties: [String]
    /// The names before the definition changed: a program that declares the index under such a name is older.
    var formerNames: [String] = []
    var state = IndexState.empty

    /// Creates an index without entries, of a type with records.
    init(_ declared: IndexDescriptor, formerNames: [String] = []) {
        kind = declared.kind
        name = declared.name
        definition = declared.definition
        properties = declared.properties
        self.formerNames = formerNames
    }

    /// The index without entries, as before a build.
    var emptied: CatalogIndex {
        var index = self
        index.state = .empty
        return index
    }

    /// Whether the index has the entries of all records.
    var isReady: Bool { state.isReady }

    /// Whether a unique index may have duplicate values, although its rule may forbid them: it was built from stored
    /// records, or a closure decides about collisions, and no search for duplicates has ended since.
    var mayHaveDuplicates: Bool {
        switch state {
        case .building: kind.isUnique
        case .readable: false
        case .readableWithDuplicates: true
        }
    }

    /// Marks the index as written by a program that allows duplicate values.
    mutating func allowDuplicates() {
        if state == .readable { state = kind.readable(mayHaveDuplicates: true) }
    }

    /// The index's name in errors and plans.
    var text: String { "\(kind.name)(\(name))" }

    func isNamed(_ declared: IndexDescriptor) -> Bool { kind == declared.kind && name == declared.name }

    /// Whether a declared index may be this index with another order, another condition, or new names of its
    /// properties.
    fileprivate func mayHaveBecome(_ declared: IndexDescriptor) -> Bool {
        kind == declared.kind && declared.hasProperties(named: properties) && !formerNames.contains(declared.name)
    }
}

extension CatalogType {
    /// Returns the number of each index of a schema, or nil if the index is not stored. An index is found by its name,
    /// or else as a stored index over the same properties whose own name is not declared.
    func indexNumbers(of schema: RecordSchema) -> [UInt32?] {
        var free = indexes
        var numbers = schema.indexes.map { declared in free.first { $0.value.isNamed(declared) }?.key }
        for number in numbers { if let number { free[number] = nil } }
        for (index, declared) in schema.indexes.enumerated() where numbers[index] == nil {
            numbers[index] = free.filter { $0.value.mayHaveBecome(declared) }.keys.min()
            if let number = numbers[index] { free[number] = nil }
        }
        return numbers
    }

    /// Returns the indexes missing in a schema, by number.
    func undeclaredIndexes(by schema: RecordSchema) -> [UInt32: CatalogIndex] {
        let declared = Set(indexNumbers(of: schema))
        return indexes.filter { !declared.contains($0.key) }
    }

    /// Returns the numbers of a schema's indexes, in their order; nil unless all are stored with these definitions.
    func currentIndexNumbers(of schema: RecordSchema) -> [UInt32]? {
        let numbers = zip(schema.indexes, indexNumbers(of: schema)).compactMap { declared, number in
            number.flatMap { hasIndex(declared, $0) ? $0 : nil }
        }
        return numbers.count == schema.indexes.count ? numbers : nil
    }

    /// Returns whether each index of a schema is stored with this definition, and has the entries of all records.
    func hasReadyIndexes(of schema: RecordSchema) -> Bool {
        currentIndexNumbers(of: schema)?.allSatisfy { indexes[$0]?.isReady == true } ?? false
    }

    /// Whether every index whose rule allows duplicates is marked as possibly holding some.
    func recordsDuplicates(of schema: RecordSchema) -> Bool {
        zip(schema.indexes, indexNumbers(of: schema)).allSatisfy { declared, number in
            !declared.allowsDuplicates || number.flatMap { indexes[$0]?.mayHaveDuplicates } == true
        }
    }

    /// Returns whether an index is stored with this definition.
    func hasIndex(_ declared: IndexDescriptor, _ number: UInt32) -> Bool {
        guard let stored = indexes[number] else { return false }
        return stored.isNamed(declared) && stored.definition == declared.definition
    }
}

extension CatalogIndex {
    init(decoding reader: inout ValueReader) throws(CodingError) {
        let kind = IndexKind(IndexKindNumber(rawValue: try UInt8(decoding: &reader)))
        guard let kind else { throw CodingError(.malformed(expected: "a kind of index")) }
        self.kind = kind
        name = try String(decoding: &reader)
        definition = try String(decoding: &reader)
        properties = try [String](decoding: &reader)
        if let limit = kind.propertyLimit, !(1...limit ~= properties.count) {
            throw CodingError(.malformed(expected: "1 to \(limit) properties"))
        }
        formerNames = try [String](decoding: &reader)
        let isReady = try Bool(decoding: &reader)
        let done = try CatalogStorage.count(decoding: &reader)
        let position = try [UInt8](decoding: &reader)
        // Missing in older stores: assume that there may be duplicates.
        let mayHaveDuplicates = reader.remaining > 0 ? try Bool(decoding: &reader) : true
        state =
            isReady
            ? kind.readable(mayHaveDuplicates: mayHaveDuplicates) : .building(done: done, position: position)
    }
}
