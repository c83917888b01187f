// Changes the links of a relation. A list keeps its order at both ends, and a change costs what has changed.
//
// Only `put`, `move` and `remove` write. A link's record precedes its rows. An error of the engine in between keeps the
// transaction from committing.

import LMDB
import TroveCoding

/// The changes of a relation's links in a write transaction.
struct LinkWriter {
    /// The maximum size of both ends of a link in bytes. With a position they are the key of a row.
    static let sizeLimit = KeyWriter.sizeLimit - LinkTable.positionSize

    /// The number of links to remove or to repair at a time.
    static let batch = 65_536

    let links: LinkTable
    let context: TransactionContext
    /// Whether damaged links are removed as well. Their rows are searched for.
    var ignoresDamage = false

    private var relation: CatalogRelation { links.relation }
    private var keyspace: Keyspace { links.keyspace }

    // MARK: Statements about an entity

    /// Makes an entity the only link of another, at an end with at most one link.
    func set(_ owner: [UInt8], to target: [UInt8], _ side: LinkSide) throws {
        try checkSize(owner, target)
        let current = try links.targets(of: owner, side)
        if current.map(\.key) == [target] { return }
        for link in current { try remove(owner, link.key, side) }
        try insert(owner, target, side, at: nil)
    }

    /// Makes entities the list of an entity's links, in their order. Doubles count once, at their first place.
    ///
    /// - Complexity: O(*n* log *n*) in the length of both lists. Only changed links are written.
    func replace(_ owner: [UInt8], with targets: [[UInt8]], _ side: LinkSide) throws {
        let targets = distinct(targets)
        for target in targets { try checkSize(owner, target) }
        let old = try links.targets(of: owner, side)
        if old.map(\.key) == targets { return }
        if old.isEmpty {
            for (target, position) in zip(targets, LinkPositions.numbered(targets.count)) {
                try insert(owner, target, side, at: position)
            }
            return
        }
        let wanted = Set(targets)
        for link in old where !wanted.contains(link.key) { try remove(owner, link.key, side) }
        let places = Dictionary(old.map { ($0.key, $0.position) }, uniquingKeysWith: { first, _ in first })
        let kept = targets.map { places[$0] ?? nil }
        for (index, position) in LinkPositions.positions(keeping: kept).enumerated() where kept[index] != position {
            if kept[index] != nil {
                try move(owner, targets[index], side, to: position)
            } else {
                try insert(owner, targets[index], side, at: position)
            }
        }
    }

    /// Adds entities at the end of an entity's list, in their order. Entities that are linked stay in their places.
    ///
    /// - Complexity: O(*k* log *n*) for *k* entities, whatever the length of the list.
    func append(_ owner: [UInt8], _ targets: [[UInt8]], _ side: LinkSide) throws {
        for target in targets { try checkSize(owner, target) }
        for target in targets where try !links.holds(owner, target, side) {
            try insert(owner, target, side, at: nil)
        }
    }

    /// Removes the links to some entities. Does nothing for entities that are not linked.
    func remove(_ owner: [UInt8], _ targets: [[UInt8]], _ side: LinkSide) throws {
        for target in targets where try ignoresDamage || links.holds(owner, target, side) {
            try remove(owner, target, side)
        }
    }

    /// Removes all links of an entity.
    ///
    /// - Complexity: O(*m* log *n*) for *m* links of *n*, in constant memory.
    func removeAll(_ owner: [UInt8], _ side: LinkSide) throws {
        while true {
            let targets = try links.targets(of: owner, side, limit: Self.batch)
            if targets.isEmpty { return }
            // The records in the order of their keys.
            for target in targets.map(\.key).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                try remove(owner, target, side)
            }
        }
    }

    // MARK: Links

    /// Adds a link that does not exist. An entity that can have one link only loses its former link.
    ///
    /// - Parameter position: The position among the owner's links; nil for the end of the list.
    private func insert(_ owner: [UInt8], _ target: [UInt8], _ side: LinkSide, at position: Int64?) throws {
        let otherSide = relation.form.isSymmetric ? side : side.other
        if relation.isExclusive(otherSide) {
            for former in try links.targets(of: target, otherSide) where former.key != owner {
                try remove(target, former.key, otherSide)
            }
        }
        if relation.form.isSymmetric {
            try put(owner, target, [try position ?? end(of: owner, side)])
            if owner != target { try put(target, owner, [try end(of: target, side)]) }
            return
        }
        var positions = [Int64?](repeating: nil, count: relation.form.positionCount)
        if let place = relation.form.position(on: side) {
            positions[place] = if let position { position } else { try end(of: owner, side) }
        }
        if let place = relation.form.position(on: otherSide) { positions[place] = try end(of: target, otherSide) }
        let ends = side == .first ? (owner, target) : (target, owner)
        try put(ends.0, ends.1, positions)
    }

    /// Returns the position at the end of an entity's list; nil if the list has no order.
    func end(of owner: [UInt8], _ side: LinkSide) throws -> Int64? {
        guard relation.form.position(on: side) != nil else { return nil }
        if let end = LinkPositions.after(try links.lastPosition(of: owner, side)) { return end }
        let list = try links.targets(of: owner, side)
        for (link, position) in zip(list, LinkPositions.numbered(list.count)) {
            try move(owner, link.key, side, to: position)
        }
        return Int64(list.count) * LinkPositions.gap
    }

    private func remove(_ owner: [UInt8], _ target: [UInt8], _ side: LinkSide) throws {
        let ends = side == .first ? (owner, target) : (target, owner)
        try removeDirection(ends.0, ends.1)
        if relation.form.isSymmetric, owner != target { try removeDirection(target, owner) }
    }

    private func move(_ owner: [UInt8], _ target: [UInt8], _ side: LinkSide, to position: Int64) throws {
        let key = links.key(owner, target, side)
        guard let place = relation.form.position(on: side) else { return }
        var positions = try storedPositions(key)
        let old = positions[place]
        positions[place] = position
        try write(key, positions)
        guard let rows = relation.form.rows(of: side) else { return }
        let database = links.table.indexes[rows].database
        try keyspace.delete(database, links.row(owner, old, target))
        try keyspace.put(database, links.row(owner, position, target), [])
    }

    // MARK: Bytes

    /// Stores a link's record and its rows.
    func put(_ first: [UInt8], _ second: [UInt8], _ positions: [Int64?]) throws {
        try write(first + second, positions.compactMap(\.self))
        for side in relation.form.sidesWithRows {
            try keyspace.put(links.database(of: side), row(first, second, positions, side), [])
        }
    }

    private func write(_ key: [UInt8], _ positions: [Int64]) throws {
        let table = links.table
        let size = StoredValue.size(fields: positions.count * LinkTable.positionSize)
        try key.withRawSpan { key in
            _ = try keyspace.put(table.database, key, size: size) { value in
                for (index, position) in positions.enumerated() {
                    value.storeBytes(
                        of: position.littleEndian,
                        toByteOffset: StoredValue.headerSize + index * LinkTable.positionSize, as: Int64.self)
                }
                StoredValue.seal(&value, table.fieldsVersion, key: key, seed: table.checksumSeed)
            }
            note(key)
        }
    }

    func note(_ key: RawSpan) {
        context.noteChange()
        context.changedKeys.note(links.table.schema.keyPrefix, key)
    }

    /// Removes a link's record and its rows, in one direction.
    func removeDirection(_ first: [UInt8], _ second: [UInt8]) throws {
        let key = first + second
        if ignoresDamage, try isDamaged(key) { return try removeDamagedDirection(first, second) }
        let positions = try storedPositions(key)
        try keyspace.delete(links.table.database, key)
        for side in relation.form.sidesWithRows {
            try keyspace.delete(links.database(of: side), row(first, second, positions, side))
        }
        key.withRawSpan { note($0) }
    }

    private func storedPositions(_ key: [UInt8]) throws -> [Int64] {
        guard let positions = try links.positions(key) else {
            throw StoreError.indexDamaged(
                type: links.name, index: links.table.schema.indexes.first?.text ?? "",
                key: links.table.storedKey(key))
        }
        return positions
    }

    private func row(_ first: [UInt8], _ second: [UInt8], _ positions: [Int64?], _ side: LinkSide) -> [UInt8] {
        let position = relation.form.position(on: side).flatMap { positions[$0] }
        return side == .first ? links.row(first, position, second) : links.row(second, position, first)
    }

    private func checkSize(_ owner: [UInt8], _ target: [UInt8]) throws {
        let size = owner.count + target.count
        guard size <= Self.sizeLimit else {
            throw StoreError.linkTooLarge(relation: links.name, size: size, limit: Self.sizeLimit)
        }
    }

    private func distinct(_ targets: [[UInt8]]) -> [[UInt8]] {
        var seen: Set<[UInt8]> = []
        return targets.filter { seen.insert($0).inserted }
    }
}
