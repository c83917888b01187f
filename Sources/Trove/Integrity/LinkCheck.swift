// Checks the links of a relation without Swift types: ends with at most one link have no second link, and each link of
// a symmetric relation is stored in both directions. IndexCheck.swift compares the lists with the links.

import LMDB
import TroveCoding

/// A check of a relation's links, in one snapshot and in constant memory.
struct LinkCheck {
    private let keyspace: Keyspace
    private let relation: CatalogRelation
    /// The lists that the relation has.
    private let schema: RecordSchema
    private let type: CatalogType
    /// The name of the relation in differences.
    private let name: String
    private let records: Database
    private let seed: CRC32C
    private let keys: LinkKeys
    private let steps: CheckSteps
    private(set) var differences: [IndexDifference] = []
    private let keyPrefix: UInt32

    /// - Parameters:
    ///   - stored: The relation.
    ///   - type: The type of its links.
    ///   - table: The name of the table with the links.
    ///   - name: The name of the relation in differences; nil for the type's.
    init(
        _ stored: StoredRelation, type: CatalogType, table: TableName, in keyspace: Keyspace, _ steps: CheckSteps,
        name: String? = nil
    ) throws {
        self.keyspace = keyspace
        self.steps = steps
        relation = stored.relation
        schema = stored.schema
        self.type = type
        self.name = name ?? type.qualifiedName
        keyPrefix = table.keyPrefix
        records = try keyspace.openTable(table)
        seed = table.checksumSeed
        keys = try LinkKeys(type)
    }

    mutating func run() throws {
        let numbers = type.indexNumbers(of: schema)
        for (list, number) in zip(schema.indexes, numbers)
        where number.map({ type.hasIndex(list, $0) && type.indexes[$0]?.isReady == true }) != true {
            differences.append(
                IndexDifference(
                    type: name, index: list.text, kind: .incompleteList,
                    key: StoredKey([], of: name, layout: type.keyLayout)))
        }
        try checkLinks()
        guard !relation.form.isSymmetric, relation.isExclusive(.second),
            let place = relation.form.list(of: .second), let number = numbers[place],
            type.indexes[number]?.isReady == true
        else { return }
        let list = TableName(keyPrefix: keyPrefix, table: TableNumber(rawValue: number))
        try checkSecondEnds(keyspace.openTable(list))
    }

    private var isFull: Bool { differences.count >= IndexDifference.limit }

    private mutating func note(_ kind: IndexDifference.Kind, _ ends: LinkKeys.Ends, other: LinkKeys.Ends? = nil) {
        guard !isFull else { return }
        differences.append(
            IndexDifference(
                type: name, index: nil, kind: kind, key: storedKey(ends), other: other.map(storedKey)))
    }

    private func storedKey(_ ends: LinkKeys.Ends) -> StoredKey {
        StoredKey(ends.first + ends.second, of: name, layout: type.keyLayout)
    }

    /// Checks the links in the order of their first ends.
    private mutating func checkLinks() throws {
        let isExclusive = relation.isExclusive(.first)
        var previous: LinkKeys.Ends?
        steps.expect(try keyspace.count(records))
        try keyspace.scan(records, ScanRange()) { key, value in
            try steps.advance()
            guard StoredValue.isIntact(value, key: key, seed: seed), let ends = keys.ends(of: key) else {
                return .continue
            }
            if isExclusive, let previous, previous.first == ends.first { note(.secondLink, ends, other: previous) }
            previous = ends
            if relation.form.isSymmetric, ends.first != ends.second,
                try !keyspace.withEntry(records, ends.second + ends.first, { _, _ in })
            {
                note(.missingDirection, ends)
            }
            return isFull ? .stop : .continue
        }
    }

    /// Checks the links in the order of their second ends, which are the first parts of the entries.
    private mutating func checkSecondEnds(_ entries: Database) throws {
        let swapped = keys.swapped
        var previous: LinkKeys.Ends?
        steps.expect(try keyspace.count(entries))
        try keyspace.scan(entries, ScanRange()) { entry, _ in
            try steps.advance()
            guard let found = swapped.ends(of: entry) else { return .continue }
            let ends = LinkKeys.Ends(first: found.second, second: found.first)
            // An orphaned entry is reported by the comparison of the lists.
            guard try keyspace.withEntry(records, ends.first + ends.second, { _, _ in }) else { return .continue }
            if let previous, previous.second == ends.second { note(.secondLink, ends, other: previous) }
            previous = ends
            return isFull ? .stop : .continue
        }
    }
}
