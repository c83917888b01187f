// The stored form of index entries: see `IndexEntries` for the picture of the bytes.

import LMDB
import TroveCoding

/// An index entry in its database.
enum StoredEntry {
    private static let checksumSize = 4
    private static let longKeySize = IndexEntries.headSize + 16

    /// Returns whether an entry is too long to be stored whole, as the key of a stored entry.
    static func isLong(_ entry: ArraySlice<UInt8>) -> Bool { entry.count > KeyWriter.sizeLimit }

    /// Returns the stored key of an entry.
    static func key(of entry: ArraySlice<UInt8>) -> [UInt8] {
        guard isLong(entry) else { return Array(entry) }
        return Array(entry.prefix(IndexEntries.headSize)) + LongEntryHash.bytes(of: entry)
    }

    /// Returns the stored value of a long entry.
    ///
    /// - Parameters:
    ///   - key: The stored key.
    ///   - recordKey: The bytes of the record's key.
    static func value(key: [UInt8], recordKey: ArraySlice<UInt8>, seed: CRC32C) -> [UInt8] {
        let checksum = checksum(key, recordKey, seed)
        return (0..<checksumSize).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) } + recordKey
    }

    /// Returns the stored value of an entry, which is empty for an entry that is stored whole.
    ///
    /// - Parameter key: The stored key.
    static func value(
        of entry: ArraySlice<UInt8>, key: [UInt8], recordKey: ArraySlice<UInt8>, seed: CRC32C
    ) -> [UInt8] {
        isLong(entry) ? value(key: key, recordKey: recordKey, seed: seed) : []
    }

    /// Returns the record's key in the stored value of a long entry; nil for damaged bytes.
    static func recordKey(in value: RawSpan, key: RawSpan, seed: CRC32C) -> [UInt8]? {
        guard value.byteCount > checksumSize else { return nil }
        let recordKey = copiedBytes(value.extracting(droppingFirst: checksumSize))
        let stored = ByteView.with(value) { $0.integer(at: 0, as: UInt32.self) }
        return stored == checksum(copiedBytes(key), recordKey[...], seed) ? recordKey : nil
    }

    /// Returns the record's key in the value of a long entry; nil if the value is damaged.
    static func recordKey(of entry: Entry, seed: CRC32C) -> ByteView? {
        let key = entry.key.withSpan { key in entry.value.withSpan { recordKey(in: $0, key: key, seed: seed) } }
        return key.map { entry.value.suffix($0.count) }
    }

    /// Returns whether a stored entry has its original bytes: a whole entry, or a record's key with its checksum.
    static func isIntact(_ value: RawSpan, key: RawSpan, seed: CRC32C) -> Bool {
        value.byteCount == 0 || key.byteCount == longKeySize && recordKey(in: value, key: key, seed: seed) != nil
    }

    /// Returns whether a stored entry in a file has its original bytes; nil if its bytes could not be read.
    static func isIntact(_ value: FileValue, key: [UInt8], seed: CRC32C) -> Bool? {
        guard value.size > 0 else { return true }
        guard value.size <= checksumSize + KeyWriter.sizeLimit else { return false }
        var bytes: [UInt8] = []
        guard value.forEachPiece({ bytes += copiedBytes($0) }) else { return nil }
        return ByteView.with(bytes) { bytes in
            ByteView.with(key) { key in
                bytes.withSpan { bytes in key.withSpan { isIntact(bytes, key: $0, seed: seed) } }
            }
        }
    }

    private static func checksum(_ key: [UInt8], _ recordKey: ArraySlice<UInt8>, _ seed: CRC32C) -> UInt32 {
        var checksum = seed
        ByteView.with(key) { $0.withSpan { checksum.update($0) } }
        ByteView.with(recordKey) { $0.withSpan { checksum.update($0) } }
        return checksum.value
    }

    /// Returns the keys of all stored entries of a record whose bytes do not say which entries it has.
    ///
    /// - Parameters:
    ///   - recordKey: The key of the record.
    ///   - valueSize: Returns the number of bytes before the record's key in an entry that is stored whole.
    static func keys(
        of recordKey: [UInt8], in index: OpenIndex, _ keyspace: Keyspace, _ valueSize: (RawSpan) -> Int?
    ) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        try keyspace.scan(index.database, ScanRange()) { entry, stored in
            let isOfRecord =
                if stored.byteCount > 0 {
                    self.recordKey(in: stored, key: entry, seed: index.seed) == recordKey
                } else {
                    ByteView.with(entry) { $0.ends(with: recordKey) }
                        && valueSize(entry) == entry.byteCount - recordKey.count
                }
            if isOfRecord { keys.append(copiedBytes(entry)) }
            return .continue
        }
        return keys
    }

    // MARK: Writing

    /// Stores an entry.
    static func put(
        _ entry: ArraySlice<UInt8>, of recordKey: ArraySlice<UInt8>, _ target: OpenIndex, _ keyspace: Keyspace,
        mode: TransactionCore.PutMode
    ) throws {
        if !isLong(entry) {
            _ = try ByteView.with(entry) { entry in
                try entry.withSpan { try keyspace.put(target.database, $0, size: 0, mode: mode) { _ in } }
            }
        } else {
            let key = key(of: entry)
            let value = value(key: key, recordKey: recordKey, seed: target.seed)
            try keyspace.put(target.database, key, value, mode: mode)
        }
    }

    /// Stores many entries in the order of their bytes.
    static func put(_ entries: EntrySorter, _ range: Range<Int>, into target: OpenIndex, _ keyspace: Keyspace) throws {
        if entries.hasLongEntries {
            for index in range {
                try put(
                    entries.bytes(of: index), of: entries.recordKey(of: index), target, keyspace, mode: .replaceNext)
            }
            return
        }
        try entries.withEach(in: range) { try keyspace.putKeys(target.database, $0) }
    }

    /// Removes an entry.
    static func delete(_ entry: ArraySlice<UInt8>, _ target: OpenIndex, _ keyspace: Keyspace) throws {
        let key = isLong(entry) ? key(of: entry)[...] : entry
        _ = try ByteView.with(key) { key in try key.withSpan { try keyspace.delete(target.database, $0) } }
    }
}
