// The tables that receive the links of a relation with other bytes, while the old tables are still in use.
//
// The records go to the table of the other generation, and the list entries to lists with unused numbers. The last step
// of a rewrite makes them the tables of the relation. The links of a transaction are collected and sorted first: each
// table is written in the order of its keys.

import LMDB
import TroveCoding

/// The tables for the rewritten links of a relation.
struct LinkCopy {
    /// A link to write.
    private struct Link {
        var first: [UInt8]
        var second: [UInt8]
        var positions: [Int64]
        /// Whether the link replaces a link of the same entities. Otherwise, the earlier link is kept.
        var replaces: Bool
    }

    let relation: CatalogRelation
    private let keyspace: Keyspace
    private let version: UInt32
    private let records: Database
    private let seed: CRC32C
    /// The lists, by the place of their index in the schema.
    private let lists: [Database]
    /// The collected links: their keys with the places of the links.
    private var sorter = EntrySorter()
    private var links: [Link] = []

    /// - Parameters:
    ///   - target: The relation with the schema of the rewritten links.
    ///   - type: The stored type of the links.
    ///   - isNew: Whether records of an attempt without a catalog entry are removed.
    init(_ target: StoredRelation, of type: CatalogType, _ keyspace: Keyspace, isNew: Bool) throws {
        let prefix = target.schema.keyPrefix
        let name = TableName(keyPrefix: prefix, generation: type.generation).other
        relation = target.relation
        version = target.schema.fieldsVersion
        self.keyspace = keyspace
        seed = name.checksumSeed
        records = try keyspace.createTable(named: name.text)
        lists = try Self.listNumbers(of: target, type).map { number in
            let name = TableName(keyPrefix: prefix, table: TableNumber(rawValue: number))
            return try keyspace.createTable(named: name.text)
        }
        if isNew { for table in [records] + lists { try keyspace.deleteAll(table) } }
    }

    /// Returns the numbers of the new lists: the least that are not in use.
    static func listNumbers(of target: StoredRelation, _ type: CatalogType) -> [UInt32] {
        let free = (UInt32(1)...).lazy.filter { type.indexes[$0] == nil }
        return Array(free.prefix(target.schema.indexes.count))
    }

    /// The number of bytes that the collected links take in all tables.
    private(set) var size = 0

    /// Collects a link.
    ///
    /// - Parameters:
    ///   - first: The identifier of the first end.
    ///   - second: The identifier of the second end.
    ///   - positions: The positions in the lists.
    ///   - replaces: Whether the link replaces a link of the same entities. Otherwise, the earlier link is kept.
    mutating func add(_ first: [UInt8], _ second: [UInt8], _ positions: [Int64], replaces: Bool) {
        // The places keep the order of links with the same key.
        ByteView.with(KeyWriter.bytes(of: links.count)) { place in
            sorter.add(place) { writer in
                first.withRawSpan { writer.writeBytes($0) }
                second.withRawSpan { writer.writeBytes($0) }
                return true
            }
        }
        links.append(Link(first: first, second: second, positions: positions, replaces: replaces))
        let entry = first.count + second.count + LinkTable.positionSize
        size += StoredValue.size(fields: 0) + entry * (1 + lists.count)
    }

    /// Stores the collected links and their list entries.
    mutating func write() throws {
        sorter.sort()
        var entries = lists.map { _ in EntrySorter() }
        var next = 0
        while next < sorter.indices.count {
            var link = try self.link(next)
            let key = sorter.value(of: next)
            next += 1
            while next < sorter.indices.count, sorter.value(of: next) == key {
                let other = try self.link(next)
                if other.replaces { link = other }
                next += 1
            }
            try write(link, key, &entries)
        }
        for (list, var entries) in zip(lists, entries) {
            entries.sort()
            try entries.withEach(in: entries.indices) { try keyspace.putKeys(list, $0) }
        }
        (sorter, links, size) = (EntrySorter(), [], 0)
    }

    private func link(_ index: Int) throws -> Link { links[try sorter.recordKey(of: index).component()] }

    /// Stores a link's record, and collects its list entries.
    private func write(_ link: Link, _ key: ArraySlice<UInt8>, _ entries: inout [EntrySorter]) throws {
        var isKept = false
        try key.withRawSpan { key in
            var old: [Int64]?
            _ = try keyspace.withValueToReplace(records, key) { value in
                let count = relation.form.positionCount
                old = LinkTable.positions(in: value, count: count).first(count)
            }
            if let old {
                isKept = !link.replaces
                if isKept { return }
                var stored = link
                stored.positions = old
                try forEachEntry(of: stored) { place, entry in try keyspace.delete(lists[place], entry) }
            }
            let size = StoredValue.size(fields: link.positions.count * LinkTable.positionSize)
            _ = try keyspace.put(records, key, size: size, mode: .replaceNext) { value in
                for (place, position) in link.positions.enumerated() {
                    let offset = StoredValue.headerSize + place * LinkTable.positionSize
                    value.storeBytes(of: position.littleEndian, toByteOffset: offset, as: Int64.self)
                }
                StoredValue.seal(&value, version, key: key, seed: seed)
            }
        }
        if isKept { return }
        forEachEntry(of: link) { place, entry in
            ByteView.with([UInt8]()) { noKey in
                entries[place].add(noKey) { writer in
                    entry.withRawSpan { writer.writeBytes($0) }
                    return true
                }
            }
        }
    }

    /// Calls a closure with the entry of a link in each list, and the place of the list.
    private func forEachEntry(of link: Link, _ body: (Int, [UInt8]) throws -> Void) rethrows {
        for side in relation.form.sidesWithLists {
            guard let place = relation.form.list(of: side) else { continue }
            let position = relation.form.position(on: side).map { KeyWriter.bytes(of: link.positions[$0]) } ?? []
            let (owner, target) = side == .first ? (link.first, link.second) : (link.second, link.first)
            try body(place, owner + position + target)
        }
    }
}
