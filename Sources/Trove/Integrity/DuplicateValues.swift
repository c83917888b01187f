// Finds duplicate values in unique indexes. They exist if the index was built from existing records, or if a custom
// collision rule kept both records.
//
// Entries with the same value are adjacent (IndexEntries.swift), so a single scan finds the candidates. Their records
// are then read, because an entry may be cut or orphaned.

import LMDB
import TroveCoding

/// The entries of a unique index, and the functions that read them.
struct UniqueRows {
    let keyspace: Keyspace
    let rows: Database
    let seed: CRC32C
    /// Returns the number of bytes of the value at the beginning of an entry; nil if the bytes do not begin with a
    /// value.
    let valueSize: (_ row: RawSpan) -> Int?
    /// Returns the value of the record with a key; nil if it is unknown.
    let value: (_ recordKey: [UInt8]) throws -> [UInt8]?

    /// Calls a closure with the keys of two records with equal values, the lesser key first. If more than two records
    /// have the value, calls it with a record and each of the others.
    func forEachDuplicate(_ body: (_ first: [UInt8], _ second: [UInt8]) throws -> ScanControl) throws {
        var group = RowGroup()
        try keyspace.scan(rows, ScanRange()) { row, stored in
            if !group.contains(row) {
                begin(&group, row, stored)
                return .continue
            }
            for key in group.takeFirst() + [recordKey(row, stored)] {
                // Skip orphaned entries: their record does not derive this value.
                guard let key, let value = try value(key), value.starts(with: group.head) else { continue }
                guard let other = group.holders[value], other != key else {
                    group.holders[value] = key
                    continue
                }
                let isInOrder = other.lexicographicallyPrecedes(key)
                if try (isInOrder ? body(other, key) : body(key, other)) == .stop { return .stop }
            }
            return .continue
        }
    }

    private func begin(_ group: inout RowGroup, _ row: RawSpan, _ stored: RawSpan) {
        if stored.byteCount > 0 {
            let head = row.extracting(first: min(row.byteCount, IndexEntries.headSize))
            group.begin(row, headSize: valueSize(head) ?? head.byteCount)
            group.first = StoredEntry.recordKey(in: stored, key: row, seed: seed) ?? []
        } else if let size = valueSize(row) {
            group.begin(row, headSize: min(size, IndexEntries.headSize))
            ByteView.with(row) { $0.dropFirst(size).append(to: &group.first) }
        }
    }

    /// Returns the record key of an entry; nil if the entry has none.
    private func recordKey(_ row: RawSpan, _ stored: RawSpan) -> [UInt8]? {
        if stored.byteCount > 0 { return StoredEntry.recordKey(in: stored, key: row, seed: seed) }
        return valueSize(row).map { copiedBytes(row.extracting(droppingFirst: $0)) }
    }
}

/// Adjacent entries that begin with the same value, or, if they are cut, with the same head of the value.
private struct RowGroup {
    /// The common beginning of the entries; empty before the first entry.
    private(set) var head: [UInt8] = []
    /// The record key of the first entry; empty if there is none, or after it was taken.
    var first: [UInt8] = []
    /// For each value seen so far, the key of a record with that value.
    var holders: [[UInt8]: [UInt8]] = [:]

    mutating func begin(_ row: RawSpan, headSize: Int) {
        head.removeAll(keepingCapacity: true)
        first.removeAll(keepingCapacity: true)
        if !holders.isEmpty { holders = [:] }
        ByteView.with(row) { $0.prefix(headSize).append(to: &head) }
    }

    func contains(_ row: RawSpan) -> Bool {
        !head.isEmpty && ByteView.with(row) { $0.starts(with: head) }
    }

    /// Returns the record key of the first entry on the first call; an empty array afterwards.
    mutating func takeFirst() -> [[UInt8]?] {
        defer { first = [] }
        return first.isEmpty ? [] : [first]
    }
}
