// The changes of records, as a write transaction passes them on: to the observers of its commit, and to the history.

import LMDB
import TroveCoding

/// The kind of a change of a record. A number never changes its meaning: the history stores it.
enum ChangeKind: UInt8, Sendable {
    /// There was no record with the key.
    case inserted = 0
    /// The record has replaced another.
    case updated = 1
    /// The record was removed.
    case deleted = 2
    /// Any record of the type may have changed. The change has no key.
    case any = 3
}

/// A recorder of all changes in a write transaction and its nested transactions.
protocol ChangeRecorder: AnyObject {
    /// Whether the gathered changes are to be written before the next change.
    var isFull: Bool { get }

    /// Records the change of a record.
    ///
    /// - Parameters:
    ///   - key: The key of the record; empty for any record.
    ///   - tombstone: The part of a deleted record that is kept.
    func record(_ kind: ChangeKind, of key: RawSpan, _ keyPrefix: UInt32, _ type: CatalogType, tombstone: [UInt8]?)

    /// Returns the part of a record that is kept after its removal; nil if its type keeps nothing.
    func tombstone(of key: RawSpan, in table: RecordTable, _ context: TransactionContext) throws -> [UInt8]?

    /// Writes the gathered changes, while the transaction goes on.
    func writeGathered(in context: TransactionContext) throws

    /// Writes the changes of the transaction, as the last step before its commit.
    func finish(_ sequence: UInt64, in context: TransactionContext) throws
}

extension TransactionContext {
    /// Notes the change of a record.
    @inline(__always)
    func note(_ kind: ChangeKind, of key: RawSpan, in table: RecordTable, tombstone: [UInt8]? = nil) {
        noteChange()
        changedKeys.note(table.schema.keyPrefix, key)
        if let recorder { recorder.record(kind, of: key, table.schema.keyPrefix, table.type, tombstone: tombstone) }
    }

    /// Notes the change of a record whose table is not open.
    func note(_ kind: ChangeKind, of key: [UInt8], _ keyPrefix: UInt32, _ type: CatalogType) {
        noteChange()
        key.withRawSpan { key in
            changedKeys.note(keyPrefix, key)
            recorder?.record(kind, of: key, keyPrefix, type, tombstone: nil)
        }
    }

    /// Notes that any record of a type may have changed.
    func noteAny(_ keyPrefix: UInt32, _ type: CatalogType) {
        noteChange()
        changedKeys.noteAny(keyPrefix)
        recordAny(keyPrefix, type)
    }

    /// Records in the history alone that any record of a type may have changed.
    func recordAny(_ keyPrefix: UInt32, _ type: CatalogType) {
        [UInt8]().withRawSpan { recorder?.record(.any, of: $0, keyPrefix, type, tombstone: nil) }
    }

    /// Writes the gathered changes of the history if they fill their memory. Call it before a search whose position in
    /// the table the following write uses.
    @inline(__always)
    func writeFullHistory() throws {
        if let recorder, recorder.isFull { try recorder.writeGathered(in: self) }
    }

    /// Returns the part of a record that the history keeps after its removal; nil for nothing.
    @inline(__always)
    func tombstone(of key: RawSpan, in table: RecordTable) throws -> [UInt8]? {
        guard let recorder else { return nil }
        return try recorder.tombstone(of: key, in: table, self)
    }

    /// Returns whether a change of a key is an update, for the history. Without a history, nothing is searched.
    func kind(ofSaving key: [UInt8], in records: Database) throws -> ChangeKind {
        guard recorder != nil else { return .updated }
        return try keyspace.withEntry(records, key) { _, _ in } ? .updated : .inserted
    }

    /// Notes the removal of all records in some ranges of keys, before they are removed at once.
    ///
    /// - Complexity: O(*n*) in the number of records, for the history alone.
    func noteRemovals(from table: RecordTable, in ranges: [KeyRange]) throws {
        guard let recorder else { return }
        for range in ranges {
            guard var scan = try keyspace.scan(table.database, ScanRange(range), mayWrite: true) else { return }
            while let batch = try scan.next() {
                for index in 0..<batch.count {
                    try batch[index].key.withSpan { key in
                        let tombstone = try recorder.tombstone(of: key, in: table, self)
                        recorder.record(.deleted, of: key, table.schema.keyPrefix, table.type, tombstone: tombstone)
                    }
                    try writeFullHistory()
                }
            }
        }
    }
}
