// Runs of the records of a table.

import LMDB
import TroveCoding

extension RecordRun {
    /// Creates a run from the records of the current layout at the beginning of a part of a batch. The run may be
    /// empty.
    @usableFromInline
    init(_ batch: EntryBatch, from start: Int, _ table: RecordTable) throws {
        let count = try Self.currentCount(batch, from: start, table)
        self.init(batch.part(start..<start + count))
    }

    /// Returns the number of adjacent records with the current layout, from `start` on. If checksums are verified,
    /// these records are intact.
    private static func currentCount(_ batch: EntryBatch, from start: Int, _ table: RecordTable) throws -> Int {
        for index in start..<batch.count {
            guard StoredValue.version(of: batch[index].value) == table.fieldsVersion else { return index - start }
            if table.verifiesChecksums { try table.verify(batch[index]) }
        }
        return batch.count - start
    }

    /// Creates the error for the current record after it failed to decode.
    @usableFromInline
    func corrupted(_ table: RecordTable, _ reason: CodingError) -> StoreError {
        table.undecodable(records[current].key, records[current].value, reason)
    }
}
