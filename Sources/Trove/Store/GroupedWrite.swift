// A write that can share its transaction and commit with others.

import LMDB

/// A write in the writer queue, independent of its closure's result type.
protocol GroupedWrite: WriterJob {
    var store: Store { get }
    /// The author of the changes. The writes of a group have the same.
    var author: String? { get }
    /// The deadline for the start of the group.
    var deadline: WriteDeadline { get }
    /// Runs the closure. Throws if the task was cancelled before or right after it.
    func perform(in context: TransactionContext) throws
    /// Resumes the task with the outcome of the write.
    func finish(_ error: (any Error)?)
}

extension GroupedWrite {
    func run(in queue: WriterQueue) {
        var next: (any GroupedWrite)? = self
        while let first = next { next = WriteGroup.run(first, queue) }
    }
}
