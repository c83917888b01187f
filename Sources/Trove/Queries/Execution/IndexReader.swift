// The entries of an index, as input of queries.

import LMDB
import TroveCoding

/// An index scanned by a query: the record keys of its entries, and the order of long entries.
final class IndexReader: EntryReader {
    private let seed: CRC32C
    /// Returns the whole entry of the record with a key, by its stored key; nil without such a record or entry.
    private let wholeEntry: (_ recordKey: [UInt8], _ storedKey: ByteView) throws -> [UInt8]?

    init(
        of table: RecordTable, _ path: AccessPath, _ index: OpenIndex, _ keyspace: Keyspace,
        wholeEntry: @escaping (_ recordKey: [UInt8], _ storedKey: ByteView) throws -> [UInt8]?
    ) {
        seed = index.seed
        self.wholeEntry = wholeEntry
        super.init(of: table, path, keyspace, index.database, headSize: IndexEntries.headSize)
    }

    /// Returns the record key of an entry.
    ///
    /// - Parameter head: The properties of the previous entry. Most entries share them, so their end is known.
    func recordKey(of entry: Entry, _ head: inout ByteView) throws -> ByteView {
        if entry.value.count > 0 {
            guard let key = StoredEntry.recordKey(of: entry, seed: seed) else { throw damaged(entry.key) }
            return key
        }
        if head.isEmpty || !entry.key.starts(with: head) {
            guard let end = end(of: path.propertyCount, in: entry.key) else { throw damaged(entry.key) }
            head = entry.key.prefix(end)
        }
        guard entry.key.count > head.count else { throw damaged(entry.key) }
        return entry.key.dropFirst(head.count)
    }

    override func sortBytes(of entry: Entry, _ order: ScanOrder) throws -> [UInt8] {
        guard entry.value.count > 0 else { return sortBytes(of: entry.key.copy(), order) }
        var head = ByteView()
        guard let whole = try wholeEntry(recordKey(of: entry, &head).copy(), entry.key) else {
            throw damaged(entry.key)
        }
        return sortBytes(of: whole, order)
    }

    /// Creates the error for an unreadable entry, or for an entry whose record is missing.
    override func damaged(_ key: ByteView) -> StoreError {
        .record(
            .indexDamaged(
                type: table.schema.name, index: path.name, key: table.schema.entryKey(key.copy(), of: path.name)))
    }
}

extension RecordIndex {
    /// Returns the bytes of a record's properties, as in its entry before the record key.
    ///
    /// - Parameter given: Bytes to use in place of the record's own properties, by position.
    func value(of record: Record, given: [[UInt8]?]? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, property) in properties.enumerated() {
            bytes += given?[index] ?? KeyWriter.bytes { property.encode(record, &$0) }
        }
        return bytes
    }
}

extension ReadContext {
    /// Returns the whole entry of the record with a key; nil without such a record or entry.
    ///
    /// - Parameter storedKey: The key of the stored entry. It decides among the entries of a record's elements.
    func entry<Record: IndexKeyRecord>(
        of key: [UInt8], storedAs storedKey: ByteView, _ type: Record.Type, _ index: Int
    ) throws -> [UInt8]? {
        guard let record = try record(of: key, type) else { return nil }
        let declared = Record.indexes[index]
        guard declared.derivation.split != nil else { return declared.value(of: record) + key }
        var list = IndexEntries()
        key.withRawSpan { declared.derive(record, $0, as: index, into: &list) }
        return list.entries.indices.map { list.bytes(of: $0) }
            .first { storedKey.compare(StoredEntry.key(of: $0)) == 0 }.map { Array($0) }
    }
}
