// The links of a relation in a transaction, by bytes: no Swift type of either end is needed.

import LMDB
import TroveCoding

/// The links of a relation in a transaction.
struct LinkTable {
    let relation: CatalogRelation
    let table: RecordTable
    let keyspace: Keyspace

    /// The name of the relation in errors, such as `Message.chat`.
    var name: String { table.schema.name }

    // MARK: Reading

    /// Returns the keys of the entities to which an entity is linked, in the order of its list.
    ///
    /// - Parameters:
    ///   - owner: The key of the entity.
    ///   - side: The end of the entity.
    ///   - limit: The greatest number of keys to return.
    func targets(of owner: [UInt8], _ side: LinkSide, limit: Int = .max) throws -> [[UInt8]] {
        var targets: [[UInt8]] = []
        var cursor = try LinkCursor(self, side, of: owner)
        while targets.count < limit, let link = try cursor.next(atMost: limit - targets.count) {
            targets.append(link.target.copy())
        }
        return targets
    }

    /// Returns the links of an entity with their positions, in the order of its list.
    func list(of owner: ByteView, _ side: LinkSide, limit: Int = .max) throws -> LinkList {
        var list = LinkList()
        var cursor = try LinkCursor(self, side, of: owner.copy())
        while list.count < limit, let link = try cursor.next(atMost: limit - list.count) { list.append(link) }
        return list
    }

    /// Returns the key of an entity's first link; nil if it has none.
    func first(of owner: ByteView, _ side: LinkSide) throws -> [UInt8]? {
        let hasPosition = relation.form.position(on: side) != nil
        var first: [UInt8]?
        try keyspace.withFirstKey(database(of: side, owner), startingWith: owner) { key in
            first = try entry(key, after: owner.count, hasPosition: hasPosition).target.copy()
        }
        return first
    }

    /// Returns the last position of an entity's list; nil for an empty list, or one without an order.
    func lastPosition(of owner: [UInt8], _ side: LinkSide) throws -> Int64? {
        guard relation.form.position(on: side) != nil else { return nil }
        var last: Int64?
        func read(_ key: RawSpan) throws {
            last = try ByteView.with(key) { try entry($0, after: owner.count, hasPosition: true).position }
        }
        if let upper = KeyRange(prefix: owner).upper {
            try keyspace.withLastKey(database(of: side, owner), below: upper) { key in
                if ByteView.with(key, { $0.starts(with: owner) }) { try read(key) }
            }
        } else {
            try keyspace.scan(database(of: side, owner), ScanRange(from: owner, isDescending: true)) { key, _ in
                try read(key)
                return .stop
            }
        }
        return last
    }

    /// Returns whether two entities are linked.
    func holds(_ owner: [UInt8], _ target: [UInt8], _ side: LinkSide) throws -> Bool {
        try keyspace.withEntry(table.database, key(owner, target, side)) { _, _ in }
    }

    /// Returns the number of links of an entity, up to a limit.
    ///
    /// - Complexity: O(log *n* + *m*) for *m* links.
    func count(of owner: [UInt8], _ side: LinkSide, atMost limit: Int = .max) throws -> Int {
        let range = KeyRange(prefix: owner)
        return try keyspace.count(
            database(of: side, owner), ScanRange(from: range.lower, upTo: range.upper), atMost: limit)
    }

    /// Returns the positions of a link.
    ///
    /// - Returns: Nil if the link does not exist.
    /// - Throws: ``StoreError/RecordError/checksumMismatch(type:key:)`` for a damaged link.
    func positions(_ key: [UInt8]) throws -> [Int64]? {
        var positions: [Int64]?
        _ = try keyspace.withEntry(table.database, key) { key, value in
            positions = try self.positions(in: value, of: key).first(relation.form.positionCount)
        }
        return positions
    }

    /// Returns the positions in the value of a link.
    ///
    /// - Throws: ``StoreError/RecordError/checksumMismatch(type:key:)`` for a damaged link.
    func positions(in value: RawSpan, of key: RawSpan) throws -> StoredPositions {
        let count = relation.form.positionCount
        guard StoredValue.isIntact(value, key: key, seed: table.checksumSeed),
            value.byteCount == StoredValue.size(fields: count * LinkTable.positionSize)
        else { throw StoreError.record(.checksumMismatch(type: name, key: table.storedKey(copiedBytes(key)))) }
        return Self.positions(in: value, count: count)
    }

    /// Returns the positions in an intact value.
    @inline(__always)
    static func positions(in value: RawSpan, count: Int) -> StoredPositions {
        ByteView.with(value) { value in
            var positions = StoredPositions()
            for ordinal in 0..<count {
                let offset = StoredValue.headerSize + ordinal * LinkTable.positionSize
                positions[ordinal] = Int64(bitPattern: value.integer(at: offset, as: UInt64.self))
            }
            return positions
        }
    }

    // MARK: Bytes

    /// The number of bytes of a position.
    static let positionSize = 8

    /// Returns the key of a link's record.
    func key(_ owner: [UInt8], _ target: [UInt8], _ side: LinkSide) -> [UInt8] {
        side == .first ? owner + target : target + owner
    }

    /// Returns the link in a key that begins with the key of an entity.
    @inline(__always)
    func entry(_ key: ByteView, after ownerSize: Int, hasPosition: Bool) throws -> LinkEntry {
        guard let entry = LinkEntry(key, after: ownerSize, hasPosition: hasPosition) else {
            throw truncated(key.copy(), needed: LinkEntry.headSize(ownerSize, hasPosition: hasPosition) + 1)
        }
        return entry
    }

    /// Returns the error for a key that is too short.
    private func truncated(_ key: [UInt8], needed: Int) -> StoreError {
        .record(
            .corrupted(
                type: name, key: StoredKey(key, of: name),
                reason: CodingError(.truncated(needed: needed, available: key.count))))
    }
}
