// The entries of many records for some of a type's tables. A table whose properties are stored ones, and which has the
// entries of all records, reads them alone; for the others, each record is decoded.

import LMDB
import TroveCoding

/// What the making of tables has gathered in one transaction.
struct EntryCollector<Record: IndexKeyRecord> {
    private let table: RecordTable
    private var parts: [CollectedIndex]

    /// - Parameter indices: Which of the type's tables they are.
    init(_ indices: [Int], of table: RecordTable) {
        self.table = table
        parts = indices.map { CollectedIndex(Record.indexes[$0], $0) }
    }

    /// The bytes that the entries take.
    var memory: Int { parts.reduce(0) { $0 + $1.entries.memory } }

    /// The entries for each table, and which it is.
    var lists: [(index: Int, entries: EntrySorter)] { parts.map { ($0.index, $0.entries) } }

    /// Puts the entries for each table in the order of their bytes.
    mutating func sort() {
        for place in parts.indices { parts[place].entries.sort() }
    }

    /// Makes room for so many times the entries that were added.
    mutating func reserve(times: Int) {
        for place in parts.indices { parts[place].entries.reserve(times: times) }
    }

    /// Adds the entries of records that stand together.
    mutating func add(_ batch: EntryBatch) throws {
        var position = 0
        while position < batch.count {
            var run = try RecordRun(batch, from: position, table)
            // Those of an older layout are decoded, as are those that cannot be read: that says which one it is.
            let isRead = run.count > 0 && readColumns(&run)
            let end = position + max(run.count, 1)
            if isRead { addColumns(run) }
            if !isRead || parts.contains(where: { $0.reads == nil }) {
                for index in position..<end {
                    try addRecord(
                        unsafe batch[index].key.pointer.bytes, unsafe batch[index].value.pointer.bytes, toAll: !isRead)
                }
            }
            position = end
        }
    }

    private mutating func addRecord(_ key: RawSpan, _ value: RawSpan, toAll: Bool) throws {
        let record = try Record.decode(key, value, table)
        for place in parts.indices where toAll || parts[place].reads == nil {
            let derivation = parts[place].derivation
            unsafe withUnsafePointer(to: record) { record in
                parts[place].entries.add(key) { unsafe derivation.encode(record, &$0) }
            }
        }
    }

    /// Reads the properties of the records of a run; whether that could be done.
    private mutating func readColumns(_ run: inout RecordRun) -> Bool {
        do throws(CodingError) {
            for place in parts.indices {
                parts[place].columns.removeAll()
                for read in parts[place].reads ?? [] { try read(&run, &parts[place].columns) }
            }
            return true
        } catch {
            return false
        }
    }

    private mutating func addColumns(_ run: borrowing RecordRun) {
        for place in parts.indices where parts[place].reads != nil {
            parts[place].entries.add(run, parts[place].columns, excluding: parts[place].nilBytes)
        }
    }
}

/// The entries for one of the tables: without the type of the records, whose every use would cost.
private struct CollectedIndex {
    let index: Int
    let derivation: IndexDerivation
    /// How its properties are read; nil where records are decoded.
    let reads: [PropertyColumns.Read]?
    /// By property, the first byte of nil, where a record with it has no entry.
    let nilBytes: [UInt8?]
    var columns = PropertyColumns()
    var entries = EntrySorter()

    init<Record>(_ declared: RecordIndex<Record>, _ index: Int) {
        self.index = index
        derivation = declared.derivation
        let reads = declared.properties.compactMap { $0.column() }
        self.reads = declared.condition == nil && reads.count == declared.properties.count ? reads : nil
        let mayBeFree = declared.descriptor.kind == .unique && declared.properties.contains { $0.nilByte != nil }
        nilBytes = mayBeFree ? declared.properties.map(\.nilByte) : []
    }
}
