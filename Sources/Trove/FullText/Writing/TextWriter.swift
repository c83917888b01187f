// A full-text index in a write transaction: documents at once, postings at a flush.
//
//     write: tokens ─▶ word numbers ─▶ compare with the stored document ─ equal: nothing
//            else store the document · log the changed postings and the length · change the statistics in memory
//     flush: sort the log by words · write each tail and block once · lengths · statistics
//
// The owner flushes before a search of the index and before the commit, and brackets nested transactions with
// `beginNested(_:)` and `endNested(_:isCommitted:)`. A nested transaction need not flush. A flush in a nested
// transaction writes the changes of its ancestors too, and keeps them in the log: if it aborts, they are pending again.

import LMDB
import TroveCoding

/// Adds a word of a field, given its UTF-8 and its position. The positions of a field ascend; a difference above 1 is a
/// gap, which no phrase matches. A word without bytes is ignored.
typealias WordAdding = (_ word: RawSpan, _ position: Int) throws -> Void

/// A full-text index in a write transaction, shared by its nested transactions.
final class TextWriter {
    private var changes: TextChanges

    /// Opens an index in a transaction.
    ///
    /// - Parameter words: The known words of the index (KnownWords.swift).
    init(_ parts: TextParts, _ keyspace: Keyspace, _ words: WordTable = WordTable()) throws {
        changes = try TextChanges(parts, keyspace, words)
    }

    /// The statistics, with all changes so far.
    var statistics: TextStatistics { changes.statistics }

    /// Whether there are changes to flush.
    var hasPendingChanges: Bool { changes.hasPendingChanges }

    /// The number of changes, of postings and of records, after which the log is flushed.
    var changeLimit: Int {
        get { changes.changeLimit }
        set { changes.changeLimit = newValue }
    }

    /// Returns the words of the transaction, which has committed, for the next transaction; nil if some are not stored.
    /// Call it once, at the end.
    func takeWords() -> WordTable? { changes.takeWords() }

    /// Stores the text of a record, in place of its stored text.
    ///
    /// - Parameters:
    ///   - id: The record's number.
    ///   - tokenize: Adds the words of a field. Called once for each field, in order. It does not use the writer.
    /// - Returns: False if the record is in the index with the same text.
    @discardableResult
    func write(_ id: UInt64, _ tokenize: (_ field: Int, _ add: WordAdding) throws -> Void) throws -> Bool {
        try changes.write(id, tokenize)
    }

    /// Removes the text of a record. Returns false if the record is not in the index.
    @discardableResult
    func remove(_ id: UInt64) throws -> Bool { try changes.remove(id) }

    /// Writes the pending changes into the postings, and the statistics. If it throws, the transaction cannot commit.
    func flush() throws { try changes.flush() }

    /// Continues in the enclosing transaction of the nested transaction that has opened the index, after its commit.
    func move(to keyspace: Keyspace) { changes.move(to: keyspace) }

    /// Continues in a nested transaction.
    func beginNested(_ keyspace: Keyspace) { changes.beginNested(keyspace) }

    /// Continues in the enclosing transaction, after the end of the nested transaction.
    ///
    /// - Parameter isCommitted: Whether the nested transaction has committed; otherwise its changes are forgotten.
    func endNested(_ keyspace: Keyspace, isCommitted: Bool) {
        changes.endNested(keyspace, isCommitted: isCommitted)
    }
}
