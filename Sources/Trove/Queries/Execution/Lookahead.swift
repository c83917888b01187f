// A cursor read one entry at a time.

import LMDB

/// A position in the batches of a cursor. It fetches the next batch at the end of the current batch.
struct Lookahead<Source: BatchCursor & ~Copyable>: ~Copyable {
    private var source: Source
    private var batch: EntryBatch?
    private var position = 0

    init(_ source: consuming Source) { self.source = source }

    /// Returns the entry at the position, without moving; nil at the end. The entry is valid until the next fetch.
    ///
    /// - Parameter limit: The maximum number of entries to fetch.
    mutating func peek(atMost limit: Int = .max) throws -> Entry? {
        while true {
            if let batch, position < batch.count { return batch[position] }
            position = 0
            batch = try source.next(atMost: limit)
            if batch == nil { return nil }
        }
    }

    /// Returns an entry after the position, if it is fetched already.
    func fetched(ahead count: Int) -> Entry? {
        guard let batch, position + count < batch.count else { return nil }
        return batch[position + count]
    }

    /// Moves to the next entry.
    mutating func advance() { position += 1 }

    /// Returns the entries before the first that fails a test, and moves past them; at most the rest of the batch. Nil
    /// if there are none.
    mutating func take(while test: (Entry) -> Bool) -> EntryBatch? {
        guard let batch else { return nil }
        let start = position
        while position < batch.count, test(batch[position]) { position += 1 }
        return position > start ? batch.part(start..<position) : nil
    }
}
