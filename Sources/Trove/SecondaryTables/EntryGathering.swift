// The entries of many records for some of a type's tables. A table whose properties are stored ones, and which has the
// entries of all records, reads them alone; for the others, each record is decoded.

import LMDB
import TroveCoding

/// What the making of tables has gathered in one transaction.
struct EntryGathering<Record: IndexKeyRecord> {
    /// The entries for one of the tables.
    private struct Part {
        let index: Int
        let secondary: SecondaryTable<Record>
        /// How its properties are read; nil where records are decoded.
        let columns: [PropertyColumn.Read]?
        var entries = EntryList()
    }

    private let table: RecordTable
    private var parts: [Part]
    private var columns: [PropertyColumn] = []

    /// - Parameter indices: Which of the type's tables they are.
    init(_ indices: [Int], of table: RecordTable) {
        self.table = table
        let tables = Record.secondaryTables
        parts = indices.map { index in
            let reads = tables[index].properties.compactMap { $0.column() }
            let isWhole = tables[index].condition == nil && reads.count == tables[index].properties.count
            return Part(index: index, secondary: tables[index], columns: isWhole ? reads : nil)
        }
    }

    /// The bytes that the entries take.
    var memory: Int { parts.reduce(0) { $0 + $1.entries.memory } }

    /// The entries for each table, and which it is.
    var lists: [(index: Int, entries: EntryList)] { parts.map { ($0.index, $0.entries) } }

    /// Makes room for the entries of so many records, some of which have been added.
    mutating func reserve(_ count: Int) {
        for place in parts.indices { parts[place].entries.reserve(count) }
    }

    /// Adds the entries of records that stand together.
    mutating func add(_ batch: EntryBatch) throws {
        var position = 0
        while position < batch.count {
            var run = try RecordRun(batch, from: position, table)
            // One of an older layout is decoded.
            let isPresent = run.count > 0
            let end = position + max(run.count, 1)
            if isPresent { try addColumns(&run) }
            if !isPresent || parts.contains(where: { $0.columns == nil }) {
                for index in position..<end {
                    try addRecord(
                        unsafe batch.entries[index].key.bytes, unsafe batch.entries[index].value.bytes,
                        toAll: !isPresent)
                }
            }
            position = end
        }
    }

    private mutating func addRecord(_ key: RawSpan, _ value: RawSpan, toAll: Bool) throws {
        let record = try Record.decode(key, value, table)
        for place in parts.indices where toAll || parts[place].columns == nil {
            parts[place].secondary.derive(record, key, as: parts[place].index, into: &parts[place].entries)
        }
    }

    private mutating func addColumns(_ run: inout RecordRun) throws {
        for place in parts.indices {
            guard let reads = parts[place].columns else { continue }
            while columns.count < reads.count { columns.append(PropertyColumn()) }
            do throws(CodingError) {
                for (column, read) in reads.enumerated() {
                    columns[column].removeAll()
                    try read(&run, &columns[column])
                }
            } catch {
                throw run.corrupted(table, error)
            }
            let index = parts[place].index
            let nilBytes = parts[place].secondary.nilBytesOfNoEntry
            // Out of the generic part, whose every use costs.
            var entries = EntryList()
            swap(&entries, &parts[place].entries)
            for record in 0..<run.count {
                let isFree = nilBytes.indices.contains { columns[$0].firstByte(of: record) == nilBytes[$0] }
                if isFree { continue }
                entries.add(to: index, unsafe run.entries[record].key.bytes) { writer in
                    for column in reads.indices { columns[column].write(record, to: &writer) }
                    return true
                }
            }
            swap(&entries, &parts[place].entries)
        }
    }
}

extension SecondaryTable {
    /// By property, the first byte of nil, where a record with it has no entry.
    fileprivate var nilBytesOfNoEntry: [UInt8?] {
        description.kind == .unique && properties.contains { $0.nilByte != nil } ? properties.map(\.nilByte) : []
    }
}

extension EntryList {
    /// The bytes that the list takes.
    fileprivate var memory: Int { (entries.last?.end ?? 0) + entries.count * MemoryLayout<Entry>.stride }
}
