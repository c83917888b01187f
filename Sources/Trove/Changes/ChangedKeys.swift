// The changed records of a write transaction, in bounded memory. Observers receive them after the commit.

import LMDB
import TroveCoding

/// The keys of stored and removed records by type: a list of keys and of key ranges, or a mark for any key.
struct ChangedKeys: Sendable {
    /// The changed keys of a type.
    enum Keys: Hashable, Sendable {
        /// Only records with these keys, or with keys in these ranges, may have changed. A key is listed once for each
        /// change.
        case some([[UInt8]], ranges: [KeyRange] = [])
        /// Any record may have changed.
        case any

        /// Whether no record has changed.
        var isEmpty: Bool {
            switch self {
            case .some(let keys, let ranges): keys.isEmpty && ranges.isEmpty
            case .any: false
            }
        }

        /// The same keys in ascending order, each once.
        var inOrder: Keys {
            guard case .some(let keys, let ranges) = self, keys.count > 1 else { return self }
            return .some(Set(keys).sorted { $0.lexicographicallyPrecedes($1) }, ranges: ranges)
        }
    }

    /// The maximum number of listed keys in a transaction, and of their bytes; beyond these limits, only the type is
    /// kept.
    static let (countLimit, byteLimit) = (256, 16_384)
    /// The maximum number of listed ranges of a type; beyond it, only the type is kept.
    static let rangeLimit = 8

    private var bytes: [UInt8] = []
    private var keys: [(keyPrefix: UInt32, end: Int)] = []
    private(set) var ranges: [UInt32: [KeyRange]] = [:]
    /// The types in which any record may have changed.
    private(set) var wholeTypes: Set<UInt32> = []
    /// The most recent of these types: a fast check for bulk loads.
    private var lastWholeType: UInt32?
    /// Whether any record of any type may have changed.
    private(set) var isEverything = false

    /// The changes of a commit about which nothing is known: any record of any type.
    static let everything: ChangedKeys = {
        var changes = ChangedKeys()
        changes.isEverything = true
        return changes
    }()

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

    /// Marks the records with keys in a range as possibly changed.
    mutating func note(_ keyPrefix: UInt32, _ range: KeyRange) {
        guard !wholeTypes.contains(keyPrefix) else { return }
        if range.lower.isEmpty, range.upper == nil { return noteAny(keyPrefix) }
        ranges[keyPrefix, default: []].append(range)
        if ranges[keyPrefix, default: []].count > Self.rangeLimit { noteAny(keyPrefix) }
    }

    /// Marks all records of a type as possibly changed.
    mutating func noteAny(_ keyPrefix: UInt32) {
        wholeTypes.insert(keyPrefix)
        lastWholeType = keyPrefix
        ranges[keyPrefix] = nil
    }

    /// Returns whether all records of a type are marked, as of the last mark: then further keys of the type are not
    /// added.
    func isWhole(_ keyPrefix: UInt32) -> Bool { lastWholeType == keyPrefix }

    /// Adds the changes of a nested transaction, or of another commit.
    mutating func formUnion(_ other: ChangedKeys) {
        if other.isEverything { isEverything = true }
        for type in other.wholeTypes { noteAny(type) }
        for (type, ranges) in other.ranges { for range in ranges { note(type, range) } }
        for (type, key) in other.listed { key.withRawSpan { note(type, $0) } }
    }

    /// The types with listed changes. Of a commit with ``isEverything``, others may have changed, too.
    var types: Set<UInt32> {
        var types: Set<UInt32> = []
        forEachType { types.insert($0) }
        return types
    }

    /// Calls a closure with the types with listed changes; with the same type more than once, if its changes are not in
    /// a row.
    func forEachType(_ body: (UInt32) -> Void) {
        var last: UInt32?
        for (type, _) in keys where type != last {
            body(type)
            last = type
        }
        for type in wholeTypes { body(type) }
        for type in ranges.keys { body(type) }
    }

    /// Whether no record has changed.
    var isEmpty: Bool { !isEverything && wholeTypes.isEmpty && keys.isEmpty && ranges.isEmpty }

    /// Returns whether a record of any of some types may have changed.
    func mayChange(_ keyPrefixes: Set<UInt32>) -> Bool { isEverything || !types.isDisjoint(with: keyPrefixes) }

    /// Returns the changed keys of a type.
    func keys(of keyPrefix: UInt32) -> Keys {
        if isEverything || wholeTypes.contains(keyPrefix) { return .any }
        return .some(
            listed.filter { $0.type == keyPrefix }.map { Array($0.key) }, ranges: ranges[keyPrefix, default: []])
    }

    /// The size of the listed keys and ranges, in bytes.
    var size: Int { bytes.count + 16 * keys.count + 64 * (ranges.count + wholeTypes.count) }

    /// The listed keys, in the order of their changes.
    var listed: [(type: UInt32, key: ArraySlice<UInt8>)] {
        var start = 0
        return keys.map { key in
            defer { start = key.end }
            return (key.keyPrefix, bytes[start..<key.end])
        }
    }
}
