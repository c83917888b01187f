// An index as a query reads it: what its rows say, and the order that the rows of long entries do not tell.

import LMDB
import TroveCoding

/// An index that a query walks.
final class IndexReader {
    let type: String
    let table: AccessPath
    let target: OpenIndex
    let keyspace: Keyspace
    /// How to move past each of its components.
    private let skips: [KeySkip]
    /// The whole entry of the record with a key; nil where there is no such record.
    private let entry: (_ recordKey: [UInt8]) throws -> [UInt8]?

    init(
        type: String, _ table: AccessPath, _ target: OpenIndex, _ keyspace: Keyspace,
        entry: @escaping (_ recordKey: [UInt8]) throws -> [UInt8]?
    ) {
        self.type = type
        self.table = table
        self.target = target
        self.keyspace = keyspace
        skips = table.components.map(\.skip)
        self.entry = entry
    }

    /// The key of the record that a row leads to.
    ///
    /// - Parameter head: The properties of the row before this one. Most rows have the same, and where it ends is known.
    @unsafe func recordKey(of row: Entry, _ head: inout UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
        if unsafe row.value.count > 0 {
            let found = unsafe StoredEntry.recordKey(in: row.value.bytes, key: row.key.bytes, seed: target.seed)
            guard let found else { throw unsafe damaged(row.key) }
            return unsafe UnsafeRawBufferPointer(rebasing: row.value.suffix(found.count))
        }
        if unsafe head.isEmpty || !row.key.begins(with: head) {
            guard let end = unsafe end(of: table.propertyCount, in: row.key) else { throw unsafe damaged(row.key) }
            unsafe head = UnsafeRawBufferPointer(rebasing: row.key[..<end])
        }
        guard unsafe row.key.count > head.count else { throw unsafe damaged(row.key) }
        return unsafe UnsafeRawBufferPointer(rebasing: row.key[head.count...])
    }

    /// The bytes that the first components of a row have: those of its head, where these go on behind it.
    @unsafe func prefix(of row: UnsafeRawBufferPointer, components: Int) throws -> [UInt8] {
        let head = unsafe UnsafeRawBufferPointer(rebasing: row.prefix(IndexEntries.headSize))
        if let end = unsafe end(of: components, in: head) { return unsafe Array(head[..<end]) }
        guard row.count > head.count else { throw unsafe damaged(row) }
        return unsafe Array(head)
    }

    /// Where the first components end; nil where they do not.
    @unsafe private func end(of components: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
        var reader = unsafe KeyReader(bytes, at: 0)
        do throws(CodingError) {
            for index in 0..<components { try skips[index](&reader) }
            return reader.offset
        } catch {
            return nil
        }
    }

    /// The entry that a row stands for, in bytes that sort as a walk gives them.
    @unsafe func sortBytes(of row: Entry, _ scanOrder: ScanOrder) throws -> [UInt8] {
        guard unsafe row.value.count > 0 else { return unsafe sortBytes(of: Array(row.key), scanOrder) }
        var head = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        guard let entry = try entry(unsafe Array(recordKey(of: row, &head))) else { throw unsafe damaged(row.key) }
        return sortBytes(of: entry, scanOrder)
    }

    /// An entry in bytes that sort as a walk gives them.
    func sortBytes(of entry: [UInt8], _ scanOrder: ScanOrder) -> [UInt8] {
        switch scanOrder {
        case .ascending: return entry
        case .descending: return entry.map { ~$0 }
        case .groups(let components):
            let groupSize = unsafe entry.withUnsafeBytes { unsafe end(of: components, in: $0) } ?? 0
            return entry[..<groupSize].map { ~$0 } + entry[groupSize...]
        case .ties(let components, let isDescending):
            return unsafe entry.withUnsafeBytes { bytes in
                let group = unsafe entry[..<(end(of: components, in: bytes) ?? 0)]
                let key = unsafe entry[(end(of: table.propertyCount, in: bytes) ?? entry.count)...]
                return Self.tieBytes(group, key, isDescending: isDescending)
            }
        }
    }

    /// What rows sort by that come in groups, and there by the records' keys.
    static func tieBytes(_ group: some Sequence<UInt8>, _ key: some Sequence<UInt8>, isDescending: Bool) -> [UInt8] {
        group.map { isDescending ? ~$0 : $0 } + key
    }

    /// The error of a row that cannot be read, or leads to no record.
    @unsafe func damaged(_ row: UnsafeRawBufferPointer) -> StoreError {
        .indexDamaged(type: type, index: table.name, key: unsafe Array(row))
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes begin with others.
    @unsafe func begins(with other: UnsafeRawBufferPointer) -> Bool {
        unsafe count >= other.count && byteOrder(UnsafeRawBufferPointer(rebasing: self[..<other.count]), other) == 0
    }

    /// Whether the bytes begin with others.
    @unsafe func begins(with other: [UInt8]) -> Bool { unsafe other.withUnsafeBytes { unsafe begins(with: $0) } }
}

extension RecordIndex {
    /// The bytes of a record's properties, in front of its key; those that are given in place of the record's own.
    func value(of record: Record, given: [[UInt8]?]? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, property) in properties.enumerated() {
            bytes += given?[index] ?? KeyWriter.bytes { property.encode(record, &$0) }
        }
        return bytes
    }
}

extension ReadContext {
    /// The entry of the record with a key; nil where there is no such record.
    func entry<Record: IndexKeyRecord>(of key: [UInt8], _ type: Record.Type, _ index: Int) throws -> [UInt8]? {
        try record(of: key, type).map { Record.indexes[index].value(of: $0) + key }
    }
}
