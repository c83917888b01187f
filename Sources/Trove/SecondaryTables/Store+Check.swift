// The proof that secondary tables hold what follows from the records, and nothing else.

import LMDB
import TroveCoding

/// An entry of a secondary table that does not follow from the records, or one that is missing.
public struct TableDifference: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// The record has no entry.
        case missing
        /// There is an entry that does not follow from a record.
        case superfluous
    }

    /// The record type's name.
    public var type: String
    /// The table, such as `index(age)`.
    public var table: String
    /// What is wrong.
    public var kind: Kind
    /// The key of the record that lacks the entry, or the key of the row that nothing leads to.
    public var key: [UInt8]

    /// One line.
    public var description: String {
        let digits = key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return switch kind {
        case .missing: "\(type), \(table): the record with the key \(digits) has no entry"
        case .superfluous: "\(type), \(table): the row \(digits) follows from no record"
        }
    }
}

extension Store {
    /// Compares the secondary tables of a type with what follows from its records.
    ///
    /// - Returns: The differences, at most 1,000; none where all is sound. A table that is still being made is left out.
    /// - Throws: ``StoreError`` for a record that cannot be read.
    /// - Complexity: O(*n* log *n*) in the number of records, in one snapshot and in constant memory.
    public func check<Record: IndexKeyRecord>(_ type: Record.Type) throws -> [TableDifference] {
        try read { context in
            try translatingErrors {
                guard let table = try context.table(for: Record.schema) else { return [] }
                var differences: [TableDifference] = []
                var counts = [Int](repeating: 0, count: table.secondaryTables.count)
                func note(_ index: Int, _ kind: TableDifference.Kind, _ key: [UInt8]) {
                    guard differences.count < 1000 else { return }
                    differences.append(
                        TableDifference(
                            type: Record.schema.name, table: Record.secondaryTables[index].description.text, kind: kind,
                            key: key))
                }
                try context.keyspace.scan(table.database, ScanRange()) { key, value in
                    let entries = Record.entries(of: try Record.decode(key, value, table), key)
                    for (index, entry) in entries.entries.enumerated() where table.secondaryTables[entry.table].isReady
                    {
                        let row = SecondaryRow.key(of: entries.bytes(of: index))
                        let database = table.secondaryTables[entry.table].database
                        if try unsafe context.keyspace.withValue(database, row.span.bytes, { _ in }) {
                            counts[entry.table] += 1
                        } else {
                            note(entry.table, .missing, copiedBytes(key))
                        }
                    }
                    return .continue
                }
                for (index, target) in table.secondaryTables.enumerated() where target.isReady {
                    guard try context.keyspace.count(target.database) != counts[index] else { continue }
                    try context.keyspace.scan(target.database, ScanRange()) { row, stored in
                        if try !context.follows(row, stored, type, index, table) {
                            note(index, .superfluous, copiedBytes(row))
                        }
                        return .continue
                    }
                }
                return differences
            }
        }
    }
}

extension ReadContext {
    /// Whether a row of a table follows from a record.
    fileprivate func follows<Record: IndexKeyRecord>(
        _ row: RawSpan, _ stored: RawSpan, _ type: Record.Type, _ index: Int, _ table: RecordTable
    ) throws -> Bool {
        let found =
            stored.byteCount > 0
            ? SecondaryRow.recordKey(in: stored, key: row, seed: table.secondaryTables[index].seed)
            : Record.secondaryTables[index].recordKey(in: row)
        guard let recordKey = found else { return false }
        guard let record = try record(of: recordKey, type) else { return false }
        let entries = Record.entries(of: record, unsafe recordKey.span.bytes)
        let rowKey = copiedBytes(row)
        return entries.entries.indices.contains { place in
            entries.entries[place].table == index && SecondaryRow.key(of: entries.bytes(of: place)) == rowKey
        }
    }
}

extension SecondaryTable {
    /// The record's key at the end of a row; nil where the row is none of this table.
    func recordKey(in row: RawSpan) -> [UInt8]? {
        let size = row.byteCount
        do throws(CodingError) {
            return try KeyReader.read(row) { (reader) throws(CodingError) in
                for property in properties { try property.skip(&reader) }
                return try reader.readBytes(count: size - reader.offset)
            }
        } catch {
            return nil
        }
    }
}
