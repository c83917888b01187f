// Repairs symmetric relations, whose links are stored in both directions.

import LMDB
import TroveCoding

extension LinkWriter {
    /// Stores the missing direction of each link of a symmetric relation, at the end of the list. If the entity across
    /// can have one link only, and has another, the link is removed.
    ///
    /// - Complexity: O(*n* log *n*) in the number of links, in constant memory.
    func restoreMirrors() throws {
        guard links.relation.form.isSymmetric else { return }
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
            for half in halves { try restoreMirror(of: half) }
            position = last
        } while position != nil
    }

    private func restoreMirror(of half: LinkKeys.Ends) throws {
        if links.relation.isExclusive(.first), try links.count(of: half.second, .first, atMost: 1) > 0 {
            try removeDirection(half.first, half.second)
        } else {
            try put(half.second, half.first, [try end(of: half.second, .first)])
        }
    }
}
