// A group of async writes with a shared commit: a single flush of the disk makes all of them durable.
//
//     group = first (savepoint next)* commit      a savepoint is a transaction nested in the group's
//
// The first write runs directly in the group's transaction, so a single write has no overhead. If it throws, a new
// group begins with the next write. Each later write runs in a nested transaction, and can be undone alone. The totals
// that a write has changed are written at its end, so that wrong ones are its own error, and not that of the group.

import LMDB

/// The writes of a single transaction.
struct WriteGroup {
    /// The maximum number of writes in a group.
    static let maximumWrites = 256
    /// The number of stored value bytes at which a group closes.
    static let maximumBytes = 4 << 20
    /// The age at which a group closes.
    static let maximumAge = Duration.milliseconds(10)

    /// Returns whether another write may join a group with this number of writes, bytes and age.
    static func isOpen(writes: Int, bytes: Int, age: Duration) -> Bool {
        writes < maximumWrites && bytes < maximumBytes && age < maximumAge
    }

    /// Runs a write, and the writes waiting directly after it, in a single transaction.
    ///
    /// - Returns: The next write if the first write failed; it must begin a new group.
    static func run(_ first: any GroupedWrite, _ queue: WriterQueue) -> (any GroupedWrite)? {
        let context: TransactionContext
        do {
            context = try first.store.beginWriteInTurn(before: first.deadline)
            context.author = first.author
        } catch {
            first.finish(error)
            return next(behind: first, queue)
        }
        defer { context.core.endWriteInTurn() }
        let start = ContinuousClock.now
        do {
            try first.perform(in: context)
            try context.flushOwnParts()
            if let failure = context.core.failure { throw StoreError(failure) }
        } catch {
            context.noteUndone()
            context.core.endWriteInTurn()
            first.finish(error)
            return next(behind: first, queue)
        }
        // A write that throws is also resumed after the commit: its error may depend on changes of earlier writes.
        var outcomes: [(write: any GroupedWrite, error: (any Error)?)] = [(first, nil)]
        while context.core.failure == nil,
            isOpen(
                writes: outcomes.count, bytes: context.core.writtenBytes, age: ContinuousClock.now - start),
            let write = next(behind: first, queue, hasHistory: context.recorder != nil)
        {
            do {
                try context.nested { nested in
                    try write.perform(in: nested)
                    try nested.flushOwnParts()
                }
                outcomes.append((write, nil))
            } catch {
                outcomes.append((write, error))
            }
        }
        do {
            try context.commit()
            context.catalog.counters.noteGroup(of: outcomes.count)
            for (write, error) in outcomes { write.finish(error) }
        } catch {
            for (write, _) in outcomes { write.finish(error) }
        }
        return nil
    }

    /// Returns the next job in the queue if it is a write of the same store.
    private static func next(behind first: any GroupedWrite, _ queue: WriterQueue) -> (any GroupedWrite)? {
        let job = queue.takeNextJob { ($0 as? any GroupedWrite)?.store === first.store }
        return job as? any GroupedWrite
    }

    /// Returns the next job in the queue if it is a write of the same store, with a history by the same author.
    private static func next(
        behind first: any GroupedWrite, _ queue: WriterQueue, hasHistory: Bool
    ) -> (any GroupedWrite)? {
        let job = queue.takeNextJob { job in
            guard let write = job as? any GroupedWrite else { return false }
            return write.store === first.store && (!hasHistory || write.author == first.author)
        }
        return job as? any GroupedWrite
    }
}
