// The tables that receive the links of a relation with other bytes, while the old tables are still in use.
//
// The records go to the table of the other generation, and the rows to lists with unused numbers. The last step of a
// rewrite makes them the tables of the relation.

import LMDB
import TroveCoding

/// The tables for the rewritten links of a relation.
struct LinkCopy {
    let relation: CatalogRelation
    private let keyspace: Keyspace
    private let version: UInt32
    private let records: Database
    private let seed: CRC32C
    /// The lists, by the place of their index in the schema.
    private let lists: [Database]

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

    /// Stores a link and its rows.
    ///
    /// - Parameters:
    ///   - first: The identifier of the first end.
    ///   - second: The identifier of the second end.
    ///   - positions: The positions in the lists.
    ///   - replaces: Whether the link replaces a link of the same entities. Otherwise, the stored link is kept.
    func put(_ first: [UInt8], _ second: [UInt8], _ positions: [Int64], replaces: Bool) throws {
        let key = first + second
        if let old = try self.positions(of: key) {
            guard replaces else { return }
            try forEachRow(first, second, old) { list, row in try keyspace.delete(list, row) }
        }
        let size = StoredValue.size(fields: positions.count * LinkTable.positionSize)
        try key.withRawSpan { key in
            _ = try keyspace.put(records, key, size: size) { value in
                for (place, position) in positions.enumerated() {
                    let offset = StoredValue.headerSize + place * LinkTable.positionSize
                    value.storeBytes(of: position.littleEndian, toByteOffset: offset, as: Int64.self)
                }
                StoredValue.seal(&value, version, key: key, seed: seed)
            }
        }
        try forEachRow(first, second, positions) { list, row in try keyspace.put(list, row, []) }
    }

    private func positions(of key: [UInt8]) throws -> [Int64]? {
        var positions: [Int64]?
        _ = try keyspace.withEntry(records, key) { _, value in
            positions = LinkTable.positions(in: value, count: relation.form.positionCount)
        }
        return positions
    }

    private func forEachRow(
        _ first: [UInt8], _ second: [UInt8], _ positions: [Int64], _ body: (Database, [UInt8]) throws -> Void
    ) throws {
        for side in relation.form.sidesWithRows {
            guard let place = relation.form.rows(of: side) else { continue }
            let position = relation.form.position(on: side).map { KeyWriter.bytes(of: positions[$0]) } ?? []
            let (owner, target) = side == .first ? (first, second) : (second, first)
            try body(lists[place], owner + position + target)
        }
    }
}

extension LinkTable {
    /// Returns the positions in an intact value.
    static func positions(in value: RawSpan, count: Int) -> [Int64] {
        ByteView.with(value) { value in
            (0..<count).map { place in
                Int64(bitPattern: value.integer(at: StoredValue.headerSize + place * positionSize, as: UInt64.self))
            }
        }
    }
}
