// The reader of an iteration over observed values.

import LMDB

/// The reader of an iteration: it remembers the values that it has read, to find out whether a commit changes it.
///
/// Not thread-safe: one thread reads at a time.
protocol ObservedReader<Value>: AnyObject {
    associatedtype Value: Sendable

    /// Reads the value in a snapshot: for the first time, or after changes in the region of the last read.
    ///
    /// - Parameters:
    ///   - context: The snapshot. It notes the reads.
    ///   - step: The changes since the last read.
    /// - Returns: Whether the value differs from the last one.
    func read(in context: ReadContext, _ step: ReadStep) throws -> Bool

    /// The value last read.
    ///
    /// - Throws: If the value cannot be built from the records that were read.
    func value() throws -> Value

    /// Returns whether the value may change, in the snapshot of a round that has changed something in the region.
    func mayChange(in round: Round) throws -> Bool
}

/// The step from one read of an iteration to the next.
struct ReadStep {
    /// The commit whose state was read last; nil for the first read.
    let last: UInt64?
    /// The commit whose state is read.
    let commit: UInt64
    /// The changes between the two: of any record of any type if they are not known, and if the store went back.
    var changes: ChangedKeys
    /// Whether all commits between the two are of this process.
    var isOwn: Bool
}
