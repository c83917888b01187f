// The links of the entities of a level, in one piece of memory.

import LMDB
import TroveCoding

/// For each owner, the targets of its links, in the order of its list.
struct TargetLists {
    /// The targets of all owners, one list after the other: their keys, or indices of distinct keys.
    private(set) var keys = KeyList()
    /// The number of targets up to the end of each list.
    private(set) var ends: [Int] = []
    /// Whether each list lacks links at its end or at its beginning.
    private(set) var areCut: [Bool] = []

    /// Reads the links of owners.
    ///
    /// - Parameters:
    ///   - links: The links; nil if the store has none.
    ///   - owners: The keys of the owners, in ascending order.
    ///   - offset: The number of links of each owner to skip.
    ///   - limit: The greatest number of links to read of each owner.
    init(_ links: (links: LinkTable, side: LinkSide)?, of owners: KeyList, offset: Int = 0, limit: Int = .max) throws {
        ends.reserveCapacity(owners.count)
        areCut.reserveCapacity(owners.count)
        guard let (table, side) = links, !owners.isEmpty else {
            ends = Array(repeating: 0, count: owners.count)
            areCut = Array(repeating: false, count: owners.count)
            return
        }
        try owners.withKeys { owners in
            var cursor = try LinkCursor(table, side, of: owners)
            for index in 0..<owners.count {
                try cursor.move(to: owners[index])
                var count = 0
                while count - offset < limit, let link = try cursor.next() {
                    if count >= offset { keys.append(link.target) }
                    count += 1
                }
                ends.append(keys.count)
                areCut.append(try cursor.hasNext() || min(count, offset) > 0)
            }
        }
    }

    /// The number of owners.
    var count: Int { ends.count }

    /// The targets of an owner, as indices of ``keys``.
    subscript(owner: Int) -> Range<Int> { (owner == 0 ? 0 : ends[owner - 1])..<ends[owner] }

    /// Returns the targets of an owner after a target.
    ///
    /// - Parameters:
    ///   - start: The key of the target; nil for all targets.
    ///   - schema: The type of the targets.
    /// - Throws: ``StoreError/QueryError/noContinuation(type:key:)`` if the list lacks that target.
    func links(of owner: Int, after start: [UInt8]?, _ schema: RecordSchema) throws -> Range<Int> {
        let all = self[owner]
        guard let start else { return all }
        guard let place = all.first(where: { keys[$0].elementsEqual(start) }) else {
            throw StoreError.query(.noContinuation(type: schema.name, key: schema.storedKey(start)))
        }
        return place + 1..<all.upperBound
    }
}
