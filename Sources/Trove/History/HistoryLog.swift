// The changes that a write transaction gathers for the history.

import LMDB
import TroveCoding

/// Changes in the order of time.
struct HistoryLog: GatheredChanges {
    private struct Change {
        /// The ends of the key and of the tombstone in the bytes; each begins at the end before it.
        var (start, keyEnd, end): (Int, Int, Int)
        var kind: ChangeKind
    }

    /// For each change the key prefix of its type in 4 bytes, big-endian, the key, and the tombstone.
    private var bytes: [UInt8] = []
    private var changes: [Change] = []
    /// Whether each change has a greater key than the change before it.
    private var isOrdered = true

    var count: Int { changes.count }
    /// The size of the changes in memory, in bytes.
    var size: Int { bytes.count + MemoryLayout<Change>.stride * changes.count }

    private static let prefixSize = 4

    mutating func add(_ kind: ChangeKind, of key: RawSpan, _ keyPrefix: UInt32, tombstone: [UInt8]?) {
        let start = bytes.count
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: keyPrefix >> shift)) }
        appendBytes(key, to: &bytes)
        let keyEnd = bytes.count
        if let tombstone { bytes += tombstone }
        changes.append(Change(start: start, keyEnd: keyEnd, end: bytes.count, kind: kind))
        guard isOrdered, changes.count > 1 else { return }
        isOrdered = ByteView.with(bytes) { bytes in
            let before = changes[changes.count - 2]
            return bytes[before.start..<before.keyEnd].precedes(bytes[start..<keyEnd])
        }
    }

    mutating func add(_ later: HistoryLog) {
        if changes.isEmpty {
            self = later
            return
        }
        let offset = bytes.count
        bytes += later.bytes
        changes += later.changes.map {
            Change(start: $0.start + offset, keyEnd: $0.keyEnd + offset, end: $0.end + offset, kind: $0.kind)
        }
        isOrdered = false
    }

    mutating func removeAll() { self = HistoryLog() }

    /// Calls a closure with each changed key, in the order of the types and keys, and with what its changes do
    /// together.
    func forEachKey(
        _ body: (_ kind: ChangeKind, _ keyPrefix: UInt32, _ key: ByteView, _ tombstone: ByteView) throws -> Void
    ) rethrows {
        try ByteView.with(bytes) { bytes in
            func prefixedKey(_ index: Int) -> ByteView { bytes[changes[index].start..<changes[index].keyEnd] }
            let order =
                isOrdered ? [] : ByteView.order(of: changes.count) { prefixedKey($0) }.map(Int.init)
            var position = 0
            while position < changes.count {
                var (first, last) = (position, position)
                if !isOrdered {
                    (first, last) = (order[position], order[position])
                    // Changes of the same key need not be in the order of time.
                    while position + 1 < order.count, prefixedKey(order[position + 1]).equals(prefixedKey(first)) {
                        position += 1
                        (first, last) = (min(first, order[position]), max(last, order[position]))
                    }
                }
                position += 1
                guard let kind = changes[first].kind.joined(with: changes[last].kind) else { continue }
                let key = prefixedKey(last)
                let tombstone = bytes[changes[last].keyEnd..<changes[last].end]
                try body(
                    kind, UInt32(truncatingIfNeeded: key.head >> 32),
                    key.dropFirst(Self.prefixSize), kind == .deleted ? tombstone : ByteView())
            }
        }
    }
}
