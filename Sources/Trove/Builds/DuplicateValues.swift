// Finds duplicate values in unique indexes. They exist if the index was built from existing records, or if a custom
// collision rule kept both records.
//
// Entries with the same value are adjacent (IndexEntries.swift), so a single scan finds the candidates. Their records
// are then read, because an entry may be cut or orphaned.

import LMDB
import TroveCoding

/// The duplicate values of a unique index, by its entries and the functions that read them.
struct DuplicateValues {
    let keyspace: Keyspace
    let entries: Database
    let seed: CRC32C
    /// Returns the number of bytes of the value at the beginning of an entry; nil if the bytes do not begin with a
    /// value.
    let valueSize: (_ entry: RawSpan) -> Int?
    /// Called for each entry. An error ends the search.
    var step: () throws -> Void = {}
    /// Returns the value of the record with a key; nil if it is unknown.
    let value: (_ recordKey: [UInt8]) throws -> [UInt8]?

    /// Calls a closure with the keys of two records with equal values, the lesser key first. If more than two records
    /// have the value, calls it with a record and each of the others.
    func forEachDuplicate(_ body: (_ first: [UInt8], _ second: [UInt8]) throws -> ScanControl) throws {
        var group = EntryGroup()
        try keyspace.scan(entries, ScanRange()) { entry, stored in
            try step()
            if !group.contains(entry) {
                begin(&group, entry, stored)
                return .continue
            }
            for key in group.takeFirst() + [recordKey(entry, stored)] {
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

    private func begin(_ group: inout EntryGroup, _ entry: RawSpan, _ stored: RawSpan) {
        if stored.byteCount > 0 {
            let head = entry.extracting(first: min(entry.byteCount, IndexEntries.headSize))
            group.begin(entry, headSize: valueSize(head) ?? head.byteCount)
            group.first = StoredEntry.recordKey(in: stored, key: entry, seed: seed) ?? []
        } else if let size = valueSize(entry) {
            group.begin(entry, headSize: min(size, IndexEntries.headSize))
            ByteView.with(entry) { $0.dropFirst(size).append(to: &group.first) }
        }
    }

    /// Returns the record key of an entry; nil if the entry has none.
    private func recordKey(_ entry: RawSpan, _ stored: RawSpan) -> [UInt8]? {
        if stored.byteCount > 0 { return StoredEntry.recordKey(in: stored, key: entry, seed: seed) }
        return valueSize(entry).map { copiedBytes(entry.extracting(droppingFirst: $0)) }
    }
}

/// Adjacent entries with the same value at their beginning, or, if they are cut, with the same head of the value.
private struct EntryGroup {
    /// The common beginning of the entries; empty before the first entry.
    private(set) var head: [UInt8] = []
    /// The record key of the first entry; empty if there is none, or after it was taken.
    var first: [UInt8] = []
    /// For each value seen so far, the key of a record with the value.
    var holders: [[UInt8]: [UInt8]] = [:]

    mutating func begin(_ entry: RawSpan, headSize: Int) {
        head.removeAll(keepingCapacity: true)
        first.removeAll(keepingCapacity: true)
        if !holders.isEmpty { holders = [:] }
        ByteView.with(entry) { $0.prefix(headSize).append(to: &head) }
    }

    func contains(_ entry: RawSpan) -> Bool {
        !head.isEmpty && ByteView.with(entry) { $0.starts(with: head) }
    }

    /// Returns the record key of the first entry on the first call; an empty array afterwards.
    mutating func takeFirst() -> [[UInt8]?] {
        defer { first = [] }
        return first.isEmpty ? [] : [first]
    }
}
