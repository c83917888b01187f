// The changes in a row of a history.
//
//     changes   = group*                                 ordered by type; the changes of a type ordered by key
//     group     = keyPrefix(UInt32) keyLayout(UInt32) count(LEB128) change*
//     keyLayout = the sdbm hash of the layout of the keys
//     change    = shared(LEB128) rest(LEB128) byte* form(UInt8) [tombstone]
//     shared    = the number of bytes that the key shares with the key before it in its group
//     rest      = the number of the other bytes
//     form      = 0 inserted · 1 updated · 2 deleted · 3 any record of the type (the key is empty)
//                 · 4 deleted, with a tombstone
//     tombstone = count(LEB128) byte*                    HistoryTombstone.swift has their form

import LMDB
import TroveCoding

/// A change in a history.
struct HistoryEntry: Sendable {
    var keyPrefix: UInt32
    /// The hash of the layout of the key.
    var keyLayout: UInt32
    var kind: ChangeKind
    var key: [UInt8]
    /// The part of a deleted record that was kept.
    var tombstone: [UInt8]?
}

/// A writer of changes in the order of their types and keys.
struct HistoryBlockWriter {
    /// The form of a deleted record with a tombstone.
    fileprivate static let deletedWithTombstone: UInt8 = 4

    private var finished: [UInt8] = []
    private var group: [UInt8] = []
    private var head: (keyPrefix: UInt32, keyLayout: UInt32)?
    private var count = 0
    private var lastKey: [UInt8] = []

    /// The number of bytes so far.
    var size: Int { finished.count + group.count }

    /// Adds a change.
    ///
    /// - Parameter tombstone: The part of the deleted record; empty for none.
    mutating func add(
        _ kind: ChangeKind, _ key: ByteView, _ keyPrefix: UInt32, _ keyLayout: UInt32, tombstone: ByteView
    ) {
        if head?.keyPrefix != keyPrefix || head?.keyLayout != keyLayout {
            endGroup()
            head = (keyPrefix, keyLayout)
        }
        let shared = ByteView.with(lastKey) { last in
            (0..<min(last.count, key.count)).first { last[$0] != key[$0] } ?? min(last.count, key.count)
        }
        LEB128.append(shared, to: &group)
        LEB128.append(key.count - shared, to: &group)
        key.dropFirst(shared).append(to: &group)
        lastKey.removeLast(lastKey.count - shared)
        key.dropFirst(shared).append(to: &lastKey)
        if tombstone.isEmpty {
            group.append(kind.rawValue)
        } else {
            group.append(Self.deletedWithTombstone)
            LEB128.append(tombstone.count, to: &group)
            tombstone.append(to: &group)
        }
        count += 1
    }

    private mutating func endGroup() {
        if let head {
            for number in [head.keyPrefix, head.keyLayout] {
                for shift in [0, 8, 16, 24] as [UInt32] { finished.append(UInt8(truncatingIfNeeded: number >> shift)) }
            }
            LEB128.append(count, to: &finished)
            finished += group
        }
        group.removeAll(keepingCapacity: true)
        lastKey.removeAll(keepingCapacity: true)
        (head, count) = (nil, 0)
    }

    /// Returns the bytes of all changes, and begins again.
    mutating func finish() -> [UInt8] {
        endGroup()
        defer { finished = [] }
        return finished
    }
}

extension HistoryEntry {
    /// Calls a closure with the changes in a row.
    static func forEach(
        in changes: [UInt8], _ body: (HistoryEntry) throws(CodingError) -> Void
    ) throws(CodingError) {
        try changes.withRawSpan { (bytes) throws(CodingError) in
            try ValueReader.read(bytes) { (reader) throws(CodingError) in
                while reader.remaining > 0 { try readGroup(&reader, body) }
            }
        }
    }

    private static func readGroup(
        _ reader: inout ValueReader, _ body: (HistoryEntry) throws(CodingError) -> Void
    ) throws(CodingError) {
        let keyPrefix: UInt32 = try reader.readInteger()
        var entry = HistoryEntry(keyPrefix: keyPrefix, keyLayout: try reader.readInteger(), kind: .any, key: [])
        for _ in 0..<(try reader.readCount(minimumSize: 3)) {
            let shared = try reader.readNumber(atMost: UInt64(entry.key.count))
            entry.key.removeLast(entry.key.count - Int(shared))
            let count = try reader.readLength()
            try reader.withBytes(count: count) { appendBytes($0, to: &entry.key) }
            let form = try reader.readByte()
            if form == HistoryBlockWriter.deletedWithTombstone {
                let size = try reader.readLength()
                (entry.kind, entry.tombstone) = (.deleted, try reader.readBytes(count: size))
            } else {
                guard let kind = ChangeKind(rawValue: form) else { throw reader.malformed("a kind of change") }
                (entry.kind, entry.tombstone) = (kind, nil)
            }
            try body(entry)
        }
    }

    /// Returns the changes of a transaction in the order of their types and keys, each key once.
    ///
    /// - Parameter entries: The changes, those of a key in the order of time.
    static func folded(_ entries: [HistoryEntry]) -> [HistoryEntry] {
        // The changes of a row are in order, and most commits have a single row.
        if zip(entries, entries.dropFirst()).allSatisfy({ $0.precedes($1) }) { return entries }
        let order = entries.indices.sorted { first, second in
            if entries[first].precedes(entries[second]) { return true }
            return entries[second].precedes(entries[first]) ? false : first < second
        }
        var result: [HistoryEntry] = []
        var rest = order[...]
        while let first = rest.first {
            let run = rest.prefix { !entries[first].precedes(entries[$0]) }
            rest = rest.dropFirst(run.count)
            var entry = entries[run.last ?? first]
            guard let kind = entries[first].kind.joined(with: entry.kind) else { continue }
            entry.kind = kind
            result.append(entry)
        }
        return result
    }

    private func precedes(_ other: HistoryEntry) -> Bool {
        keyPrefix == other.keyPrefix
            ? key.lexicographicallyPrecedes(other.key) : keyPrefix < other.keyPrefix
    }
}

extension ChangeKind {
    /// Returns what the first and the last change of a record in a transaction do together; nil for nothing.
    func joined(with last: ChangeKind) -> ChangeKind? {
        if self == .any || last == .any { return .any }
        return switch (self == .inserted, last == .deleted) {
        case (true, true): nil
        case (true, false): .inserted
        case (false, true): .deleted
        case (false, false): .updated
        }
    }
}
