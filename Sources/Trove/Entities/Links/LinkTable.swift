// The links of a relation in a transaction, by bytes: no Swift type of either end is needed.

import LMDB
import TroveCoding

/// The links of a relation in a transaction.
struct LinkTable {
    /// A link, seen from one of its ends.
    struct Target: Equatable {
        /// The key of the entity at the other end.
        var key: [UInt8]
        /// The position among the links of this end; nil if they have no order.
        var position: Int64?
    }

    let relation: CatalogRelation
    let table: RecordTable
    let keyspace: Keyspace

    /// The name of the relation in errors, such as `Message.chat`.
    var name: String { table.schema.name }

    // MARK: Reading

    /// Returns the links of an entity, in the order of its list.
    ///
    /// - Parameters:
    ///   - owner: The key of the entity.
    ///   - side: The end of the entity.
    ///   - limit: The greatest number of links to return.
    func targets(of owner: [UInt8], _ side: LinkSide, limit: Int = .max) throws -> [Target] {
        var targets: [Target] = []
        try forEachTarget(of: owner, side) { target in
            targets.append(target)
            return targets.count < limit ? .continue : .stop
        }
        return targets
    }

    /// Calls a closure with each link of an entity, in the order of its list. The closure does not write.
    func forEachTarget(of owner: [UInt8], _ side: LinkSide, _ body: (Target) throws -> ScanControl) throws {
        let range = KeyRange(prefix: owner)
        let hasPosition = relation.form.position(on: side) != nil
        try keyspace.scan(database(of: side), ScanRange(from: range.lower, upTo: range.upper)) { key, _ in
            try body(try target(in: key, after: owner.count, hasPosition: hasPosition))
        }
    }

    /// Returns the last position of an entity's list; nil for an empty list, or one without an order.
    func lastPosition(of owner: [UInt8], _ side: LinkSide) throws -> Int64? {
        guard relation.form.position(on: side) != nil else { return nil }
        let range = KeyRange(prefix: owner)
        var last: Int64?
        try keyspace.scan(
            database(of: side), ScanRange(from: range.lower, upTo: range.upper, isDescending: true)
        ) { key, _ in
            last = try target(in: key, after: owner.count, hasPosition: true).position
            return .stop
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
            database(of: side), ScanRange(from: range.lower, upTo: range.upper), atMost: limit)
    }

    /// Returns the positions of a link.
    ///
    /// - Returns: Nil if the link does not exist.
    /// - Throws: ``StoreError/checksumMismatch(type:key:)`` for a damaged link.
    func positions(_ key: [UInt8]) throws -> [Int64]? {
        var positions: [Int64]?
        _ = try keyspace.withEntry(table.database, key) { key, value in
            let size = StoredValue.size(fields: relation.form.positionCount * LinkTable.positionSize)
            guard StoredValue.isIntact(value, key: key, seed: table.checksumSeed), value.byteCount == size else {
                throw StoreError.checksumMismatch(type: name, key: table.storedKey(copiedBytes(key)))
            }
            positions = ByteView.with(value) { value in
                (0..<relation.form.positionCount).map { place in
                    Int64(
                        bitPattern: value.integer(
                            at: StoredValue.headerSize + place * LinkTable.positionSize, as: UInt64.self))
                }
            }
        }
        return positions
    }

    // MARK: Bytes

    /// The number of bytes of a position.
    static let positionSize = 8

    /// Returns the table whose keys begin with the keys of an end.
    func database(of side: LinkSide) -> Database {
        relation.form.rows(of: side).map { table.indexes[$0].database } ?? table.database
    }

    /// Returns the key of a link's record.
    func key(_ owner: [UInt8], _ target: [UInt8], _ side: LinkSide) -> [UInt8] {
        side == .first ? owner + target : target + owner
    }

    /// Returns the key of a link's row.
    func row(_ owner: [UInt8], _ position: Int64?, _ target: [UInt8]) -> [UInt8] {
        guard let position else { return owner + target }
        return owner + KeyWriter.bytes(of: position) + target
    }

    private func target(in key: RawSpan, after ownerSize: Int, hasPosition: Bool) throws -> Target {
        let head = ownerSize + (hasPosition ? LinkTable.positionSize : 0)
        guard key.byteCount > head else {
            throw StoreError.corrupted(
                type: name, key: StoredKey(copiedBytes(key), of: name),
                reason: CodingError(.truncated(needed: head + 1, available: key.byteCount)))
        }
        let position: Int64? =
            if hasPosition {
                try KeyReader.read(key.extracting(ownerSize..<head)) { (reader) throws(CodingError) in
                    try Int64(decodingKey: &reader)
                }
            } else {
                nil
            }
        return Target(key: copiedBytes(key.extracting(droppingFirst: head)), position: position)
    }
}
