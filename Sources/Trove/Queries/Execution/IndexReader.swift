// An index as a query reads it: what its rows say, and the order that the rows of long entries do not tell.

import LMDB
import TroveCoding

/// An index that a query walks.
final class IndexReader {
    let type: String
    let table: AccessPath
    let target: OpenIndex
    let keyspace: Keyspace
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
        self.entry = entry
    }

    /// The key of the record that a row leads to.
    ///
    /// - Parameter head: The properties of the row before this one. Most rows have the same, and where it ends is known.
    func recordKey(of row: Entry, _ head: inout ByteView) throws -> ByteView {
        if row.value.count > 0 {
            guard let key = StoredEntry.recordKey(of: row, seed: target.seed) else { throw damaged(row.key) }
            return key
        }
        if head.isEmpty || !row.key.starts(with: head) {
            guard let end = end(of: table.propertyCount, in: row.key) else { throw damaged(row.key) }
            head = row.key.prefix(end)
        }
        guard row.key.count > head.count else { throw damaged(row.key) }
        return row.key.dropFirst(head.count)
    }

    /// The bytes that the first components of a row have: those of its head, where these go on behind it.
    func prefix(of row: ByteView, components: Int) throws -> [UInt8] {
        let head = row.prefix(IndexEntries.headSize)
        if let end = end(of: components, in: head) { return head.prefix(end).copy() }
        guard row.count > head.count else { throw damaged(row) }
        return head.copy()
    }

    /// Where the first components end; nil where they do not.
    private func end(of components: Int, in bytes: ByteView) -> Int? {
        var reader = KeyReader(bytes)
        do throws(CodingError) {
            for index in 0..<components { try table.skips[index](&reader) }
            return reader.offset
        } catch {
            return nil
        }
    }

    /// The entry that a row stands for, in bytes that sort as a walk gives them.
    func sortBytes(of row: Entry, _ scanOrder: ScanOrder) throws -> [UInt8] {
        guard row.value.count > 0 else { return sortBytes(of: row.key.copy(), scanOrder) }
        var head = ByteView()
        guard let entry = try entry(recordKey(of: row, &head).copy()) else { throw damaged(row.key) }
        return sortBytes(of: entry, scanOrder)
    }

    /// An entry in bytes that sort as a walk gives them.
    func sortBytes(of entry: [UInt8], _ scanOrder: ScanOrder) -> [UInt8] {
        switch scanOrder {
        case .ascending: return entry
        case .descending: return entry.map { ~$0 }
        case .groups(let components):
            let groupSize = ByteView.with(entry) { end(of: components, in: $0) } ?? 0
            return entry[..<groupSize].map { ~$0 } + entry[groupSize...]
        case .ties(let components, let isDescending):
            return ByteView.with(entry) { bytes in
                let group = entry[..<(end(of: components, in: bytes) ?? 0)]
                let key = entry[(end(of: table.propertyCount, in: bytes) ?? entry.count)...]
                return Self.tieBytes(group, key, isDescending: isDescending)
            }
        }
    }

    /// What rows sort by that come in groups, and there by the records' keys.
    static func tieBytes(_ group: some Sequence<UInt8>, _ key: some Sequence<UInt8>, isDescending: Bool) -> [UInt8] {
        group.map { isDescending ? ~$0 : $0 } + key
    }

    /// The error of a row that cannot be read, or leads to no record.
    func damaged(_ row: ByteView) -> StoreError {
        .indexDamaged(type: type, index: table.name, key: row.copy())
    }
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
