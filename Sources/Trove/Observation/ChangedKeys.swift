// Which records a write transaction has touched: kept small, for those who observe a store to be told of when it commits.

import LMDB
import TroveCoding

/// The keys of records that were stored or removed, by type: each of them, or that there were many.
struct ChangedKeys: Sendable {
    /// What is known of one type's records.
    enum Keys: Hashable, Sendable {
        /// These may have changed, and no others. A key stands here as often as it was touched.
        case some([[UInt8]])
        /// Any of them may have changed.
        case any
    }

    /// How many keys one transaction keeps, and how many bytes of them; behind that, a type's name is enough.
    static let (countLimit, byteLimit) = (256, 16_384)

    private var bytes: [UInt8] = []
    private var keys: [(keyPrefix: UInt32, end: Int)] = []
    /// The types of which any record may have changed.
    private var wholeTypes: Set<UInt32> = []
    /// The one of them that was touched last: a bulk load asks no more than this.
    private var lastWholeType: UInt32?

    /// Notes a key.
    @inline(__always)
    mutating func note(_ keyPrefix: UInt32, _ key: RawSpan) {
        if lastWholeType == keyPrefix { return }
        add(keyPrefix, key)
    }

    private mutating func add(_ keyPrefix: UInt32, _ key: RawSpan) {
        guard !wholeTypes.contains(keyPrefix), keys.count < Self.countLimit,
            bytes.count + key.byteCount <= Self.byteLimit
        else { return noteAny(keyPrefix) }
        appendBytes(key, to: &bytes)
        keys.append((keyPrefix, bytes.count))
    }

    /// Notes that any record of a type may have changed.
    mutating func noteAny(_ keyPrefix: UInt32) {
        wholeTypes.insert(keyPrefix)
        lastWholeType = keyPrefix
    }

    /// Adds what a transaction within this one has touched.
    mutating func formUnion(_ other: ChangedKeys) {
        for type in other.wholeTypes { noteAny(type) }
        for (type, key) in other.listed { key.withRawSpan { note(type, $0) } }
    }

    /// The types of the records.
    var types: Set<UInt32> { wholeTypes.union(keys.map(\.keyPrefix)) }

    /// What is known of a type's records.
    func keys(of keyPrefix: UInt32) -> Keys {
        wholeTypes.contains(keyPrefix) ? .any : .some(listed.filter { $0.type == keyPrefix }.map { Array($0.key) })
    }

    private var listed: [(type: UInt32, key: ArraySlice<UInt8>)] {
        var start = 0
        return keys.map { key in
            defer { start = key.end }
            return (key.keyPrefix, bytes[start..<key.end])
        }
    }
}
