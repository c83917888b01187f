// How an entry is stored: see `IndexEntries` for the picture of its bytes.

import LMDB
import TroveCoding

/// A row of an index.
enum StoredEntry {
    private static let checksumSize = 4
    private static let longKeySize = IndexEntries.headSize + 16

    /// Whether the key of a row has no room for an entry.
    static func isLong(_ entry: ArraySlice<UInt8>) -> Bool { entry.count > KeyWriter.sizeLimit }

    /// The key of an entry's row.
    static func key(of entry: ArraySlice<UInt8>) -> [UInt8] {
        guard isLong(entry) else { return Array(entry) }
        return Array(entry.prefix(IndexEntries.headSize)) + LongEntryHash.bytes(of: entry)
    }

    /// The value of the row of a long entry.
    ///
    /// - Parameters:
    ///   - key: The key of the row.
    ///   - recordKey: The bytes of the record's key.
    static func value(key: [UInt8], recordKey: ArraySlice<UInt8>, seed: CRC32C) -> [UInt8] {
        let checksum = checksum(key, recordKey, seed)
        return (0..<checksumSize).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) } + recordKey
    }

    /// The record's key in the value of a row whose entry is long; nil where it is damaged.
    static func recordKey(in value: RawSpan, key: RawSpan, seed: CRC32C) -> [UInt8]? {
        guard value.byteCount > checksumSize else { return nil }
        let recordKey = copiedBytes(value.extracting(droppingFirst: checksumSize))
        let stored = UInt32(littleEndian: unsafe value.unsafeLoadUnaligned(as: UInt32.self))
        return stored == checksum(copiedBytes(key), recordKey[...], seed) ? recordKey : nil
    }

    /// Returns the record's key in the value of a long entry; nil where the value is damaged.
    static func recordKey(of entry: Entry, seed: CRC32C) -> ByteView? {
        let key = entry.key.withSpan { key in entry.value.withSpan { recordKey(in: $0, key: key, seed: seed) } }
        return key.map { entry.value.suffix($0.count) }
    }

    /// Whether a row is one that was written: a whole entry, or the key of a record behind the right checksum.
    static func isIntact(_ value: RawSpan, key: RawSpan, seed: CRC32C) -> Bool {
        value.byteCount == 0 || key.byteCount == longKeySize && recordKey(in: value, key: key, seed: seed) != nil
    }

    /// The same for a row of a file; nil where it could not be read.
    static func isIntact(_ value: FileValue, key: [UInt8], seed: CRC32C) -> Bool? {
        guard value.size > 0 else { return true }
        guard value.size <= checksumSize + KeyWriter.sizeLimit else { return false }
        var bytes: [UInt8] = []
        guard value.forEachPiece({ bytes += copiedBytes($0) }) else { return nil }
        return unsafe isIntact(bytes.span.bytes, key: key.span.bytes, seed: seed)
    }

    private static func checksum(_ key: [UInt8], _ recordKey: ArraySlice<UInt8>, _ seed: CRC32C) -> UInt32 {
        var checksum = seed
        unsafe checksum.update(key.span.bytes)
        unsafe checksum.update(recordKey.span.bytes)
        return checksum.value
    }

    // MARK: Writing

    /// Stores the row of an entry.
    static func put(
        _ entry: ArraySlice<UInt8>, of recordKey: ArraySlice<UInt8>, _ target: OpenIndex, _ keyspace: Keyspace,
        mode: TransactionCore.PutMode
    ) throws {
        if !isLong(entry) {
            _ = try unsafe entry.withUnsafeBytes { entry in
                try unsafe keyspace.put(target.database, entry.bytes, size: 0, mode: mode) { _ in }
            }
        } else {
            let key = key(of: entry)
            let value = value(key: key, recordKey: recordKey, seed: target.seed)
            _ = try unsafe keyspace.put(target.database, key.span.bytes, size: value.count, mode: mode) { destination in
                copyBytes(unsafe value.span.bytes, into: &destination)
            }
        }
    }

    /// Stores a range of entries, which are in the order of their bytes.
    static func put(_ entries: EntrySorter, _ range: Range<Int>, into target: OpenIndex, _ keyspace: Keyspace) throws {
        if entries.hasLongOnes {
            for index in range {
                try put(
                    entries.bytes(of: index), of: entries.recordKey(of: index), target, keyspace, mode: .replaceNext)
            }
            return
        }
        try unsafe entries.withEach(in: range) { try unsafe keyspace.putKeys(target.database, $0) }
    }

    /// Removes the row of an entry.
    static func delete(_ entry: ArraySlice<UInt8>, _ target: OpenIndex, _ keyspace: Keyspace) throws {
        let key = isLong(entry) ? key(of: entry)[...] : entry
        _ = try unsafe key.withUnsafeBytes { key in try unsafe keyspace.delete(target.database, key.bytes) }
    }
}
