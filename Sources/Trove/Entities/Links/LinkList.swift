// The links of an entity in memory, without an object for each.

import LMDB
import TroveCoding

/// The links of an entity, seen from its end, in the order of its list.
struct LinkList {
    /// The keys of the entities at the other end.
    private(set) var keys = KeyList()
    /// The positions among the links of this end; 0 if the links have no order.
    private(set) var positions: [Int64] = []

    var count: Int { positions.count }
    var isEmpty: Bool { positions.isEmpty }

    /// Appends the link of a list entry, or of a record that begins with the key of this end.
    mutating func append(key: ByteView, after ownerSize: Int, hasPosition: Bool, in table: LinkTable) throws {
        let head = ownerSize + (hasPosition ? LinkTable.positionSize : 0)
        guard key.count > head else { throw table.truncated(key.copy(), needed: head + 1) }
        let sortable = hasPosition ? key.dropFirst(ownerSize).head : 1 << 63
        positions.append(Int64(bitPattern: sortable ^ 1 << 63))
        keys.append(key.dropFirst(head))
    }

    /// Returns the number of links at the beginning that are also the beginning of a list of targets.
    func commonStart(_ targets: KeyList) -> Int {
        var start = 0
        while start < count, start < targets.count, keys.hasKey(start, of: targets, at: start) { start += 1 }
        return start
    }

    /// Returns the number of links at the end that are also the end of a list of targets.
    ///
    /// - Parameter start: The number of links at the beginning to leave out, in both lists.
    func commonEnd(_ targets: KeyList, after start: Int) -> Int {
        var end = 0
        while start + end < min(count, targets.count),
            keys.hasKey(count - end - 1, of: targets, at: targets.count - end - 1)
        {
            end += 1
        }
        return end
    }
}

/// The positions of a link in the lists of its ends, in the order of its record: at most two.
struct LinkPlaces {
    private var first: Int64 = 0
    private var second: Int64 = 0

    subscript(place: Int) -> Int64 {
        get { place == 0 ? first : second }
        set { if place == 0 { first = newValue } else { second = newValue } }
    }
}
