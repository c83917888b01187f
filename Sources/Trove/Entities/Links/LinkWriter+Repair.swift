// Repairs links: stores the missing directions of symmetric relations, and removes damaged links.

import LMDB
import TroveCoding

extension LinkWriter {
    /// Stores the missing direction of each link of a symmetric relation, at the end of the list. If the entity across
    /// can have one link only, and has another, the link is removed.
    ///
    /// - Returns: The number of stored directions, and of removed links.
    /// - Complexity: O(*n* log *n*) in the number of links, in constant memory.
    @discardableResult
    func restoreMirrors() throws -> (stored: Int, removed: Int) {
        var (stored, removed) = (0, 0)
        guard links.relation.form.isSymmetric else { return (0, 0) }
        let keys = try LinkKeys(links.table.type)
        var position: [UInt8]?
        repeat {
            var halves: [LinkKeys.Ends] = []
            var last: [UInt8]?
            let range = position.map { ScanRange(from: KeyRange.all.after($0).lower) } ?? ScanRange()
            try links.keyspace.scan(links.table.database, range) { key, value in
                // A damaged link is found by its checksum; its key may be damaged too.
                guard StoredValue.isIntact(value, key: key, seed: links.table.checksumSeed),
                    let ends = keys.ends(of: key)
                else { return .continue }
                if try ends.first != ends.second && !links.holds(ends.second, ends.first, .first) {
                    halves.append(ends)
                }
                guard halves.count == Self.batch else { return .continue }
                last = copiedBytes(key)
                return .stop
            }
            for half in halves {
                if try restoreMirror(of: half) { stored += 1 } else { removed += 1 }
            }
            position = last
        } while position != nil
        return (stored, removed)
    }

    private func removeDirection(_ first: [UInt8], _ second: [UInt8]) throws {
        try ByteView.with(first) { first in
            _ = try ByteView.with(second) { try removeDirection(first, $0, .first) }
        }
    }

    /// Stores the missing direction of a link, or removes the link. Returns whether the direction was stored.
    private func restoreMirror(of half: LinkKeys.Ends) throws -> Bool {
        if isExclusive(.first), try links.count(of: half.second, .first, atMost: 1) > 0 {
            try removeDirection(half.first, half.second)
            return false
        }
        try ByteView.with(half.first) { first in
            try ByteView.with(half.second) { try putMirror(of: first, $0) }
        }
        return true
    }
}

// MARK: Damaged links

extension LinkWriter {
    /// Removes all links of an entity, damaged links as well.
    func removeAllIgnoringDamage(_ owner: [UInt8], _ side: LinkSide) throws {
        while true {
            let targets = try links.targets(of: owner, side, limit: Self.batch)
            if targets.isEmpty { return }
            for target in targets { try removeIgnoringDamage(owner, target, side) }
        }
    }

    /// Removes a link in both directions, even if it is damaged. Does nothing for entities that are not linked.
    func removeIgnoringDamage(_ owner: [UInt8], _ target: [UInt8], _ side: LinkSide) throws {
        let ends = side == .first ? (owner, target) : (target, owner)
        try removeDirectionIgnoringDamage(ends.0, ends.1)
        if links.relation.form.isSymmetric, owner != target { try removeDirectionIgnoringDamage(ends.1, ends.0) }
    }

    private func removeDirectionIgnoringDamage(_ first: [UInt8], _ second: [UInt8]) throws {
        if try isDamaged(first + second) {
            try removeDamagedDirection(first, second)
        } else {
            try removeDirection(first, second)
        }
    }

    /// Returns whether a link's record is missing or fails its checksum.
    private func isDamaged(_ key: [UInt8]) throws -> Bool {
        do {
            return try links.positions(key) == nil
        } catch StoreError.record(.checksumMismatch) {
            return true
        }
    }

    /// Removes a link's damaged record and its list entries, in one direction. The lists of both ends are searched,
    /// since the positions are unknown.
    ///
    /// - Complexity: O(*n*) in the length of the lists.
    private func removeDamagedDirection(_ first: [UInt8], _ second: [UInt8]) throws {
        let key = first + second
        var isFound = try links.keyspace.delete(links.table.database, key)
        for side in links.relation.form.sidesWithLists {
            let list = try links.database(of: side)
            let (owner, target) = side == .first ? (first, second) : (second, first)
            let hasPosition = links.relation.form.position(on: side) != nil
            let size = LinkEntry.headSize(owner.count, hasPosition: hasPosition) + target.count
            let range = KeyRange(prefix: owner)
            var entries: [[UInt8]] = []
            try links.keyspace.scan(list, ScanRange(from: range.lower, upTo: range.upper)) {
                entry, _ in
                if entry.byteCount == size, ByteView.with(entry, { $0.ends(with: target) }) {
                    entries.append(copiedBytes(entry))
                }
                return .continue
            }
            for entry in entries { try links.keyspace.delete(list, entry) }
            isFound = isFound || !entries.isEmpty
        }
        if isFound { key.withRawSpan { note(.deleted, of: $0) } }
    }
}
