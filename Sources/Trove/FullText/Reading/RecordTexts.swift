// The texts of the records in an index, read from the records: an index has words alone.

import LMDB
import TroveCoding
import TroveText

/// The texts of the records in an index.
struct RecordTexts {
    /// Calls a closure with the texts of the record with a key (TextColumn.swift), unless it is not in the index.
    typealias Reader = (_ key: [UInt8], _ body: (ByteView) throws -> Void) throws -> Void

    /// The analyzer of the index.
    let analyzer: TextAnalyzer
    /// Calls a closure with the texts of a record (TextColumn.swift), unless the record is not in the index.
    let withTexts: (_ id: UInt64, _ body: (ByteView) throws -> Void) throws -> Void
}

extension IndexKeyRecord {
    /// Calls a closure with the texts of a record in a full-text index, unless the record is not in the index.
    ///
    /// - Parameters:
    ///   - place: The position of the index among the indexes of the type.
    ///   - body: Receives the texts (TextColumn.swift).
    static func withTexts(
        ofIndex place: Int, key: ByteView, table: RecordTable, in context: ReadContext,
        _ body: (ByteView) throws -> Void
    ) throws {
        var lookups = try context.keyspace.lookups(in: table.database)
        guard let value = try lookups?.value(of: key) else { return }
        let batch = EntryBatch.Storage(capacity: 1)
        batch[0] = Entry(key, value)
        var collector = EntryCollector<Self>([place], of: table)
        try collector.add(batch.batch(count: 1))
        for (_, _, entries) in collector.takeLists() {
            for entry in entries.indices { try ByteView.with(entries.value(of: entry), body) }
        }
    }
}
