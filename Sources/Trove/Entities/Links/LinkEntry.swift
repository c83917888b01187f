// A link in the order of an end, as it lies in its page.

import LMDB

/// The entry of a link in the list of an end, or its record where the end has no list.
struct LinkEntry {
    /// The key of the entity across.
    let target: ByteView
    /// The position in the list; 0 if the links have no order.
    let position: Int64

    /// - Parameters:
    ///   - key: The key of the entry, which begins with the key of an entity.
    ///   - ownerSize: The size of the entity's key.
    /// - Returns: Nil if the key is too short.
    @inline(__always)
    init?(_ key: ByteView, after ownerSize: Int, hasPosition: Bool) {
        let head = Self.headSize(ownerSize, hasPosition: hasPosition)
        guard key.count > head else { return nil }
        target = key.dropFirst(head)
        position = hasPosition ? Int64(bitPattern: key.dropFirst(ownerSize).head ^ 1 << 63) : 0
    }

    /// Returns the number of bytes before the target in an entry.
    @inline(__always)
    static func headSize(_ ownerSize: Int, hasPosition: Bool) -> Int {
        ownerSize + (hasPosition ? LinkTable.positionSize : 0)
    }
}
