// The entries of a table, as input of queries.

import LMDB
import TroveCoding

/// A table scanned by a query: its database, and the components of its keys.
class EntryReader {
    let table: RecordTable
    let path: AccessPath
    let keyspace: Keyspace
    let database: Database
    /// The number of key bytes that determine the order. A longer key continues with a hash.
    let headSize: Int

    /// Creates a reader of the records' own table.
    convenience init(_ table: RecordTable, _ path: AccessPath, _ keyspace: Keyspace) {
        self.init(of: table, path, keyspace, table.database, headSize: .max)
    }

    init(of table: RecordTable, _ path: AccessPath, _ keyspace: Keyspace, _ database: Database, headSize: Int) {
        self.table = table
        self.path = path
        self.keyspace = keyspace
        self.database = database
        self.headSize = headSize
    }

    /// Returns whether a key is a head and a hash. Its order among keys of the same head is not the order of the
    /// entries.
    final func isLong(_ key: ByteView) -> Bool { key.count > headSize }

    /// Returns the end of the first components; nil if the bytes end before.
    final func end(of components: Int, in bytes: ByteView) -> Int? {
        var reader = KeyReader(bytes)
        do throws(CodingError) {
            for index in 0..<components { try path.skips[index](&reader) }
            return reader.offset
        } catch {
            return nil
        }
    }

    /// Returns the bytes of a key's first components; the head, if they extend beyond it.
    final func prefix(of key: ByteView, components: Int) throws -> [UInt8] {
        let head = key.prefix(headSize)
        if let end = end(of: components, in: head) { return head.prefix(end).copy() }
        guard isLong(key) else { throw damaged(key) }
        return head.copy()
    }

    /// Returns the sort bytes of an entry in an order.
    func sortBytes(of entry: Entry, _ order: ScanOrder) throws -> [UInt8] { sortBytes(of: entry.key.copy(), order) }

    /// Returns the sort bytes of a whole entry in an order.
    final func sortBytes(of entry: [UInt8], _ order: ScanOrder) -> [UInt8] {
        switch order {
        case .ascending: return entry
        case .descending: return entry.map { ~$0 }
        case .groups(let components):
            let groupSize = size(of: components, in: entry) ?? 0
            return entry[..<groupSize].map { ~$0 } + entry[groupSize...]
        case .ties(let components, let isDescending):
            let group = entry[..<(size(of: components, in: entry) ?? 0)]
            let key = entry[(size(of: path.propertyCount, in: entry) ?? entry.count)...]
            return Self.tieBytes(group, key, isDescending: isDescending)
        }
    }

    private func size(of components: Int, in entry: [UInt8]) -> Int? {
        ByteView.with(entry) { end(of: components, in: $0) }
    }

    /// Returns sort bytes from the bytes of a group and the record key: entries sort by group, then by key.
    static func tieBytes(_ group: some Sequence<UInt8>, _ key: some Sequence<UInt8>, isDescending: Bool) -> [UInt8] {
        group.map { isDescending ? ~$0 : $0 } + key
    }

    /// Creates the error for a key without all components.
    func damaged(_ key: ByteView) -> StoreError {
        table.corrupted(key, CodingError(.malformed(expected: "the components of a key")))
    }
}
