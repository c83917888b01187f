// The entries of many records for some of a type's indexes. If an index has stored properties only, and its condition
// is a filter, its columns are read from the stored records. For the other indexes, each record is decoded.

import LMDB
import TroveCoding

/// The entries collected by a build in a transaction.
struct EntryCollector<Record: IndexKeyRecord> {
    private let table: RecordTable
    private var parts: [CollectedIndex]
    /// The errors of intact records that the type cannot decode. Their entries are derived from their bytes.
    private(set) var unreadable: [StoreError] = []
    /// The index whose entries of such a record cannot be derived, and the error of the record.
    private(set) var underivable: (index: String, error: StoreError)?

    /// Creates a collector of the entries for some indexes of a type.
    ///
    /// - Parameter indices: The positions of the indexes in ``IndexKeyRecord/indexes``.
    init(_ indices: [Int], of table: RecordTable) {
        self.init(indices.map { ($0, Record.indexes[$0]) }, of: table)
    }

    /// Creates a collector of the entries for indexes with known positions among the indexes of the type.
    init(_ indexes: [(place: Int, index: RecordIndex<Record>)], of table: RecordTable) {
        self.table = table
        parts = indexes.map { CollectedIndex($0.index, $0.place) }
    }

    /// The number of bytes of all entries.
    var memory: Int { parts.reduce(0) { $0 + $1.entries.memory } }

    /// Takes the entries for each index, and the index's place.
    mutating func takeLists() -> [(index: Int, hasEntries: Bool, entries: EntrySorter)] {
        defer { parts = [] }
        return parts.map { ($0.index, $0.hasEntries, $0.entries) }
    }

    /// Reserves memory for a multiple of the entries added so far.
    mutating func reserve(times: Int) {
        for part in parts.indices { parts[part].entries.reserve(times: times) }
    }

    /// Adds the entries of a batch of records.
    mutating func add(_ batch: EntryBatch) throws {
        var position = 0
        while position < batch.count {
            var run = try RecordRun(batch, from: position, table)
            // Records of an older layout are decoded. So is a run with an unreadable record: decoding reports the
            // record.
            let isRead = run.count > 0 && readColumns(&run)
            let end = position + max(run.count, 1)
            if isRead { addColumns(run) }
            if !isRead || parts.contains(where: { $0.columns == nil }) {
                for index in position..<end { try addRecord(batch, index, toAll: !isRead) }
            }
            position = end
        }
    }

    private mutating func addRecord(_ batch: EntryBatch, _ index: Int, toAll: Bool) throws {
        let entry = batch[index]
        let record: Record
        do {
            record = try Record.decode(entry, table)
        } catch  where error.isOfRecord && table.isIntact(entry) {
            return try addUnreadable(batch, index, report(of: entry, error), toAll: toAll)
        }
        UntypedRecord.with(record) { record in
            for part in parts.indices where toAll || parts[part].columns == nil {
                parts[part].add(entry.key, record)
            }
        }
    }

    // MARK: Unreadable records

    /// Returns the error to report for a record. An error of the type's own migration gets the record's key.
    private func report(of entry: Entry, _ error: any Error) -> StoreError {
        if let error = error as? StoreError { return error }
        let reason = ConversionError(
            field: "migrate(_:from:)", reason: .value(CodingError(.unencodable("\(error)"))))
        return .schema(
            .unconvertible(
                type: Record.schema.name, version: StoredValue.version(of: entry.value) ?? 0,
                key: table.storedKey(entry.key.copy()), reason: reason))
    }

    /// Adds the entries of an intact record that the type cannot decode.
    ///
    /// - Throws: The error of decoding it, if the entries for an index can be derived neither from single properties
    ///   nor by the layout. ``underivable`` then names the index.
    private mutating func addUnreadable(
        _ batch: EntryBatch, _ index: Int, _ error: StoreError, toAll: Bool
    ) throws {
        for part in parts.indices where toAll || parts[part].columns == nil {
            if try addColumns(of: batch, index, to: part) { continue }
            if try addByLayout(batch[index], to: part) { continue }
            underivable = (parts[part].name, error)
            throw error
        }
        unreadable.append(error)
    }

    /// Adds the entry of a single record from its indexed properties. Returns false if one of them cannot be read.
    private mutating func addColumns(of batch: EntryBatch, _ index: Int, to part: Int) throws -> Bool {
        guard parts[part].columns != nil else { return false }
        var run = try RecordRun(batch.part(index..<index + 1), from: 0, table)
        guard run.count == 1 else { return false }
        do throws(CodingError) {
            try parts[part].columns?.read(&run)
        } catch {
            return false
        }
        parts[part].addColumns(run)
        return true
    }

    /// Adds the entries of a record by its layout. Returns false if they cannot be derived.
    private mutating func addByLayout(_ entry: Entry, to part: Int) throws -> Bool {
        if parts[part].needsKeysOnly {
            parts[part].add([], of: entry.key.copy()[...])
            return true
        }
        var list = IndexEntries()
        let place = parts[part].index
        let isDerived = try entry.key.withSpan { key in
            try entry.value.withSpan { value in
                try Record.deriveByLayout(
                    key, value, in: table, for: .all, includingPartial: false, only: place, into: &list)
            }
        }
        guard isDerived, !parts[part].isPartial else { return false }
        for entry in list.entries.indices {
            parts[part].add(list.value(of: entry), of: list.recordKey(of: entry))
        }
        return true
    }

    // MARK: Columns

    /// Reads the columns of the records of a run. Returns whether all records could be read.
    private mutating func readColumns(_ run: inout RecordRun) -> Bool {
        do throws(CodingError) {
            for part in parts.indices { try parts[part].columns?.read(&run) }
            return true
        } catch {
            return false
        }
    }

    private mutating func addColumns(_ run: borrowing RecordRun) {
        for part in parts.indices { parts[part].addColumns(run) }
    }
}

/// The entries for an index, independent of the record type: generic code would look up its metadata for each record.
private struct CollectedIndex {
    /// The position of the index among the indexes of the type.
    let index: Int
    let name: String
    let hasEntries: Bool
    let needsKeysOnly: Bool
    let isPartial: Bool
    /// The columns of the stored records; nil if the index needs decoded records.
    var columns: CollectedColumns?
    var entries = EntrySorter()
    private let derivation: IndexDerivation
    /// The entries of one record, for a kind with several entries per record.
    private var several = IndexEntries()

    init<Record>(_ declared: RecordIndex<Record>, _ index: Int) {
        self.index = index
        name = declared.descriptor.text
        hasEntries = declared.descriptor.kind.hasEntries
        needsKeysOnly = declared.descriptor.needsKeysOnly
        isPartial = declared.descriptor.isPartial
        derivation = declared.derivation
        columns = CollectedColumns(declared)
    }

    /// Adds the entries of a decoded record.
    mutating func add(_ key: ByteView, _ record: UntypedRecord) {
        let encode = derivation.encode
        add(key) { encode(record, &$0) }
    }

    /// Adds an entry.
    mutating func add(_ value: ArraySlice<UInt8>, of key: ArraySlice<UInt8>) {
        ByteView.with(key) { key in
            ByteView.with(value) { value in
                entries.add(key) { writer in
                    value.withSpan { writer.writeBytes($0) }
                    return true
                }
            }
        }
    }

    /// Adds the entries of the records of a run, after their columns have been read.
    mutating func addColumns(_ run: borrowing RecordRun) {
        guard let columns else { return }
        columns.bytes.withBytes { write in
            for record in 0..<run.count where columns.matches & (1 &<< UInt64(record)) != 0 {
                add(run.key(at: record)) { writer in
                    columns.rule.write(to: &writer) { column, writer in
                        write(column * run.count + record, &writer)
                    }
                }
            }
        }
    }

    /// - Parameter encode: Writes the columns of the record with the key. Returns whether the record has entries.
    private mutating func add(_ key: ByteView, _ encode: (inout KeyWriter) -> Bool) {
        guard let split = derivation.split else { return entries.add(key, encode) }
        several.removeAll()
        key.withSpan { several.add(to: 0, $0, split, encode) }
        for place in several.entries.indices {
            ByteView.with(several.value(of: place)) { value in
                entries.add(key) { writer in
                    value.withSpan { writer.writeBytes($0) }
                    return true
                }
            }
        }
    }
}

/// The columns of an index, read by a build from stored records.
private struct CollectedColumns {
    let rule: EntryRule
    private(set) var bytes = PropertyColumns()
    /// The matching records of the run, a bit each.
    private(set) var matches: UInt64 = 0
    private let readers: [PropertyColumns.Read]
    private let test: RunTest?

    /// Returns nil if a property of the index is not stored, or its condition needs decoded records.
    init?<Record>(_ declared: RecordIndex<Record>) {
        rule = EntryRule(declared.descriptor.kind, declared.properties)
        readers = declared.properties.compactMap { $0.reader() }
        guard readers.count == declared.properties.count else { return nil }
        if let condition = declared.condition {
            guard let filter = condition.exactFilter else { return nil }
            test = filter.test()
        } else {
            test = nil
        }
    }

    /// Reads the columns of the records of a run.
    mutating func read(_ run: inout RecordRun) throws(CodingError) {
        bytes.removeAll()
        matches = try test?(&run) ?? run.all
        guard matches != 0 else { return }
        for reader in readers { try reader(&run, &bytes) }
    }
}
