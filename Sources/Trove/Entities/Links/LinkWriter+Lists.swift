// Changes the list of an entity's links as a whole.

import LMDB
import TroveCoding

extension LinkWriter {
    /// Adds entities to the end of a list, unless they are linked.
    ///
    /// - Parameter position: The position of the first; nil for a list without an order.
    func add(_ targets: KeyList, to owner: ByteView, _ side: LinkSide, at position: Int64?) throws {
        var position = position
        for index in targets.indices {
            let isAdded = try targets.withKey(index) { try insert(owner, $0, side, at: position) }
            guard isAdded, let last = position else { continue }
            position = try PositionGaps.after(last) ?? end(of: owner, side)
        }
    }

    /// Adds entities between two neighbors in a list. Returns false if some are linked or named twice, or if there are
    /// not enough positions; then nothing is written.
    func insert(
        _ targets: KeyList, _ added: Range<Int>, to owner: ByteView, _ side: LinkSide,
        between bounds: (lower: Int64?, upper: Int64?)
    ) throws -> Bool {
        guard let run = PositionGaps.run(of: added.count, between: bounds),
            KeyPlaces(targets, added).distinct.count == added.count
        else { return false }
        for index in added where try targets.withKey(index, { try holds(owner, $0, side) }) { return false }
        for (index, position) in zip(added, run) {
            _ = try targets.withKey(index) { try insert(owner, $0, side, at: position) }
        }
        return true
    }

    /// Removes, moves and adds links of a list.
    func rearrange(_ owner: ByteView, as targets: KeyList, _ side: LinkSide) throws {
        let old = try links.list(of: owner, side)
        let places = KeyPlaces(targets, targets.startIndex..<targets.endIndex)
        var kept = [Int64?](repeating: nil, count: places.distinct.count)
        for index in old.keys.indices {
            try old.keys.withKey(index) { key in
                if let place = places.place(of: key) {
                    kept[place] = old.positions[index]
                } else {
                    try remove(owner, key, side)
                }
            }
        }
        let positions = PositionGaps.positions(keeping: kept)
        // Each table in an order of its own: links move away first, then the places in the list are taken in order.
        for (place, position) in positions.enumerated() {
            guard let former = kept[place], former != position else { continue }
            try targets.withKey(places.distinct[place]) {
                try renumber(owner, $0, side, from: former, to: position)
            }
        }
        for (place, position) in positions.enumerated() where kept[place] != position {
            try targets.withKey(places.distinct[place]) { target in
                if kept[place] == nil {
                    _ = try insert(owner, target, side, at: position)
                } else {
                    try putEntry(owner, position, target, of: side)
                }
            }
        }
    }
}
