// The changed records of a write transaction, in bounded memory. Observers receive them after the commit.

import LMDB
import TroveCoding

/// The keys of stored and removed records by type: a list of keys, or a mark for any key.
struct ChangedKeys: Sendable {
    /// The changed keys of a type.
    enum Keys: Hashable, Sendable {
        /// Only these records may have changed. A key is listed once for each change.
        case some([[UInt8]])
        /// Any record may have changed.
        case any
    }

    /// The maximum number of listed keys in a transaction, and of their bytes; beyond these limits, only the type is
    /// kept.
    static let (countLimit, byteLimit) = (256, 16_384)

    private var bytes: [UInt8] = []
    private var keys: [(keyPrefix: UInt32, end: Int)] = []
    /// The types in which any record may have changed.
    private var wholeTypes: Set<UInt32> = []
    /// The most recent of these types: a fast check for bulk loads.
    private var lastWholeType: UInt32?

    /// Adds a changed key.
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

    /// Marks all records of a type as possibly changed.
    mutating func noteAny(_ keyPrefix: UInt32) {
        wholeTypes.insert(keyPrefix)
        lastWholeType = keyPrefix
    }

    /// Returns whether all records of a type are marked, as of the last mark: then no more keys of the type are added.
    func isWhole(_ keyPrefix: UInt32) -> Bool { lastWholeType == keyPrefix }

    /// Adds the changes of a nested transaction.
    mutating func formUnion(_ other: ChangedKeys) {
        for type in other.wholeTypes { noteAny(type) }
        for (type, key) in other.listed { key.withRawSpan { note(type, $0) } }
    }

    /// The types of the records.
    var types: Set<UInt32> { wholeTypes.union(keys.map(\.keyPrefix)) }

    /// Returns the changed keys of a type.
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
