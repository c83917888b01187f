// How an entry is stored: see `EntryList` for the picture of its bytes.

import LMDB
import TroveCoding

/// A row of a secondary table.
enum SecondaryRow {
    private static let checksumSize = 4

    /// The key of an entry's row.
    static func key(of entry: ArraySlice<UInt8>) -> [UInt8] {
        guard entry.count > KeyWriter.sizeLimit else { return Array(entry) }
        return Array(entry.prefix(EntryList.headSize)) + LongEntryHash.bytes(of: entry)
    }

    /// The value of an entry's row.
    ///
    /// - Parameters:
    ///   - key: The key of the row.
    ///   - recordKey: The bytes of the record's key.
    static func value(of entry: ArraySlice<UInt8>, key: [UInt8], recordKey: ArraySlice<UInt8>, seed: CRC32C) -> [UInt8]
    {
        guard entry.count > KeyWriter.sizeLimit else { return [] }
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

    private static func checksum(_ key: [UInt8], _ recordKey: ArraySlice<UInt8>, _ seed: CRC32C) -> UInt32 {
        var checksum = seed
        unsafe checksum.update(key.span.bytes)
        unsafe checksum.update(recordKey.span.bytes)
        return checksum.value
    }
}
