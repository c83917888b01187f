// Writes the bytes of a link. Only `put`, `renumber`, `putEntry` and `removeDirection` write. Two other functions
// delete entries: `removeBatch` (LinkWriter.swift), and the removal of damaged links (LinkWriter+Repair.swift).
//
// A link's record precedes its list entries. An error of the engine in between keeps the transaction from committing.

import LMDB
import TroveCoding

extension LinkWriter {
    /// Returns whether two entities are linked. Then a put of the link does not search again.
    func holds(_ owner: ByteView, _ target: ByteView, _ side: LinkSide) throws -> Bool {
        try withRecord(of: owner, to: target, on: side) {
            try links.keyspace.hasKey(links.table.database, startingWith: $0)
        }
    }

    /// Stores a link's record and its list entries.
    func put(_ owner: ByteView, _ target: ByteView, on side: LinkSide, at positions: StoredPositions) throws {
        try withRecord(of: owner, to: target, on: side) { try putRecord($0, positions, .inserted) }
        for list in lists {
            let position = list.ordinal.map { positions[$0] }
            if list.side == side {
                try putEntry(owner, position, target, in: list)
            } else {
                try putEntry(target, position, owner, in: list)
            }
        }
    }

    /// Changes the position of a link in its record, and removes the list entry. ``putEntry(_:_:_:of:)`` stores the new
    /// entry.
    func renumber(
        _ owner: ByteView, _ target: ByteView, _ side: LinkSide, from old: Int64, to position: Int64
    ) throws {
        guard let list = lists.first(where: { $0.side == side }), let ordinal = list.ordinal else { return }
        try writeFullHistory()
        try withRecord(of: owner, to: target, on: side) { key in
            var positions: StoredPositions?
            _ = try links.keyspace.withValueToReplace(links.table.database, key) { value in
                positions = try links.positions(in: value, of: key)
            }
            guard var positions else { throw missing(owner, target, side) }
            positions[ordinal] = position
            try putRecord(key, positions, .updated)
        }
        try removeEntry(owner, old, target, in: list)
    }

    /// Stores the list entry of an end with an order.
    func putEntry(_ owner: ByteView, _ position: Int64, _ target: ByteView, of side: LinkSide) throws {
        guard let list = lists.first(where: { $0.side == side }) else { return }
        try putEntry(owner, position, target, in: list)
    }

    /// Removes a link's record and its list entries, in one direction. Returns whether the link existed.
    ///
    /// - Parameter keptSide: The end whose entries stay.
    @discardableResult
    func removeDirection(
        _ owner: ByteView, _ target: ByteView, _ side: LinkSide, keepingEntriesOf keptSide: LinkSide? = nil
    ) throws -> Bool {
        try writeFullHistory()
        var positions = StoredPositions()
        let isStored = try withRecord(of: owner, to: target, on: side) { key in
            let isStored = try links.keyspace.remove(links.table.database, key) {
                positions = try links.positions(in: $0, of: key)
            }
            if isStored { note(.deleted, of: key) }
            return isStored
        }
        guard isStored else { return false }
        for list in lists where list.side != keptSide {
            let position = list.ordinal.map { positions[$0] }
            if list.side == side {
                try removeEntry(owner, position, target, in: list)
            } else {
                try removeEntry(target, position, owner, in: list)
            }
        }
        return true
    }

    // MARK: Parts of a link

    private func putRecord(_ key: RawSpan, _ positions: StoredPositions, _ kind: ChangeKind) throws {
        let table = links.table
        let count = form.positionCount
        let size = StoredValue.size(fields: count * LinkTable.positionSize)
        // The search for the link, or for a former one, has moved the cursor to its place.
        _ = try links.keyspace.put(table.database, key, size: size, mode: .replaceNext) { value in
            for ordinal in 0..<count {
                value.storeBytes(
                    of: positions[ordinal].littleEndian,
                    toByteOffset: StoredValue.headerSize + ordinal * LinkTable.positionSize, as: Int64.self)
            }
            StoredValue.seal(&value, table.fieldsVersion, key: key, seed: table.checksumSeed)
        }
        note(kind, of: key)
    }

    private func putEntry(_ owner: ByteView, _ position: Int64?, _ target: ByteView, in list: List) throws {
        try withEntry(of: owner, at: position, to: target) {
            _ = try links.keyspace.put(list.table, $0, size: 0, mode: .replaceNext) { _ in }
        }
    }

    private func removeEntry(_ owner: ByteView, _ position: Int64?, _ target: ByteView, in list: List) throws {
        try withEntry(of: owner, at: position, to: target) { _ = try links.keyspace.remove(list.table, $0) { _ in } }
    }

    // MARK: Keys

    /// Calls a closure with the key of a link's record.
    @inline(__always)
    private func withRecord<R>(
        of owner: ByteView, to target: ByteView, on side: LinkSide, _ body: (RawSpan) throws -> R
    ) throws -> R {
        try KeyWriter.withKey(
            { writer in
                (side == .first ? owner : target).withSpan { writer.writeBytes($0) }
                (side == .first ? target : owner).withSpan { writer.writeBytes($0) }
            }, body)
    }

    /// Calls a closure with a list entry.
    @inline(__always)
    func withEntry<R>(
        of owner: ByteView, at position: Int64?, to target: ByteView, _ body: (RawSpan) throws -> R
    ) throws -> R {
        try KeyWriter.withKey(
            { writer in
                owner.withSpan { writer.writeBytes($0) }
                if let position { writer.writeInteger(position) }
                target.withSpan { writer.writeBytes($0) }
            }, body)
    }

    // MARK: Errors

    /// Returns the error for an entry whose link does not exist.
    func missing(_ owner: ByteView, _ target: ByteView, _ side: LinkSide) -> StoreError {
        .record(
            .indexDamaged(
                type: links.name, index: links.table.schema.indexes.first?.text ?? "",
                key: links.table.storedKey(links.key(owner.copy(), target.copy(), side))))
    }

    /// Throws for a link whose key would be too long.
    func checkSizes(_ owner: [UInt8], _ targets: KeyList, _ side: LinkSide) throws {
        guard owner.count + targets.longest > Self.sizeLimit else { return }
        for index in targets.indices {
            let target = Array(targets[index])
            guard owner.count + target.count > Self.sizeLimit else { continue }
            throw StoreError.entity(
                .linkTooLarge(
                    relation: links.name, key: links.table.storedKey(links.key(owner, target, side)),
                    size: owner.count + target.count, limit: Self.sizeLimit))
        }
    }
}
