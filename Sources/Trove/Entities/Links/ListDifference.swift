// The difference of a stored list and a new list, found without copies of the stored links.

import LMDB
import TroveCoding

/// The difference between a stored list of links and a new list of targets: the parts between their common beginning
/// and end.
struct ListDifference {
    /// Whether the stored list is empty.
    let isOfEmptyList: Bool
    /// The targets of the links to remove; nil if there are both links to remove and targets to add: then the order of
    /// the other links may change too.
    let removed: KeyList?
    /// The indices of the targets to add.
    let added: Range<Int>
    /// The positions of the links around the added targets.
    let bounds: (lower: Int64?, upper: Int64?)
}

extension LinkTable {
    /// Returns the difference of an entity's list and a new list.
    func difference(of owner: ByteView, to targets: KeyList, _ side: LinkSide) throws -> ListDifference {
        try targets.withKeys { targets in
            var start = 0
            var lower: Int64?
            // The entries after the common beginning. They lie in their pages as long as nothing is written.
            var rest: [LinkEntry] = []
            var cursor = try LinkCursor(self, side, of: owner.copy())
            while let entry = try cursor.next() {
                if rest.isEmpty {
                    if start < targets.count, targets[start].equals(entry.target) {
                        start += 1
                        lower = entry.position
                        continue
                    }
                    rest.reserveCapacity(targets.count - start)
                }
                rest.append(entry)
            }
            var end = 0
            while end < min(rest.count, targets.count - start),
                targets[targets.count - 1 - end].equals(rest[rest.count - 1 - end].target)
            {
                end += 1
            }
            let added = start..<targets.count - end
            var removed: KeyList? = KeyList()
            if added.isEmpty {
                for entry in rest.dropLast(end) { removed?.append(entry.target) }
            } else if rest.count > end {
                removed = nil
            }
            return ListDifference(
                isOfEmptyList: start == 0 && rest.isEmpty, removed: removed, added: added,
                bounds: (lower, end > 0 ? rest[rest.count - end].position : nil))
        }
    }
}
