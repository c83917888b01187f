// Checks the links of a relation without Swift types: ends with at most one link have no second link, and each link of a
// symmetric relation is stored in both directions. IndexCheck.swift compares the lists with the links.

import LMDB
import TroveCoding

/// A check of a relation's links, in one snapshot and in constant memory.
struct LinkCheck {
    private let keyspace: Keyspace
    private let type: StoredType
    private let relation: CatalogRelation
    private let keys: LinkKeys
    private(set) var differences: [IndexDifference] = []

    init(_ keyspace: Keyspace, _ type: StoredType, _ relation: CatalogRelation) throws {
        self.keyspace = keyspace
        self.type = type
        self.relation = relation
        keys = try LinkKeys(type.keyLayout, of: type.name)
    }

    mutating func run() throws {
        try checkLinks()
        guard !relation.form.isSymmetric, relation.isExclusive(.second),
            let number = relation.form.rows(of: .second), number < type.indexes.count, type.indexes[number].isReady
        else { return }
        try checkSecondEnds(type.indexes[number].database)
    }

    private var isFull: Bool { differences.count >= IndexCheck.limit }

    private mutating func note(_ kind: IndexDifference.Kind, _ ends: LinkKeys.Ends, other: LinkKeys.Ends? = nil) {
        guard !isFull else { return }
        differences.append(
            IndexDifference(
                type: type.name, index: nil, kind: kind, key: type.storedKey(ends.first + ends.second),
                other: other.map { type.storedKey($0.first + $0.second) }))
    }

    /// Checks the links in the order of their first ends.
    private mutating func checkLinks() throws {
        let isExclusive = relation.isExclusive(.first)
        var previous: LinkKeys.Ends?
        try keyspace.scan(type.records, ScanRange()) { key, value in
            guard StoredValue.isIntact(value, key: key, seed: type.checksumSeed), let ends = keys.ends(of: key) else {
                return .continue
            }
            if isExclusive, let previous, previous.first == ends.first { note(.secondLink, ends, other: previous) }
            previous = ends
            if relation.form.isSymmetric, ends.first != ends.second,
                try !keyspace.withEntry(type.records, ends.second + ends.first, { _, _ in })
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
        try keyspace.scan(entries, ScanRange()) { entry, _ in
            guard let found = swapped.ends(of: entry) else { return .continue }
            let ends = LinkKeys.Ends(first: found.second, second: found.first)
            // An orphaned entry is reported by the comparison of the lists.
            guard try keyspace.withEntry(type.records, ends.first + ends.second, { _, _ in }) else { return .continue }
            if let previous, previous.second == ends.second { note(.secondLink, ends, other: previous) }
            previous = ends
            return isFull ? .stop : .continue
        }
    }
}
