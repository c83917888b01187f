// The look for other processes that read a store. If none does, commits need not list their changes for others.

import Dispatch
import LMDB
import Synchronization

/// Looks for readers of other processes, now and then: a look takes longer than a small commit may.
///
/// A commit between two looks reads the system's clock and an atomic number.
final class OtherReaders: Sendable {
    /// The time for which the result of a look holds, in nanoseconds. A process that begins to read in that time takes
    /// the commits until its end for unknown.
    static let interval: UInt64 = 10_000_000

    /// The end of the time for which the last look holds. It is odd if that look has found other readers. Only the
    /// writer that has the turn uses it.
    private let end = Atomic<UInt64>(0)

    /// Returns whether another process reads an environment, or has done so and is still open.
    func exist(in environment: SharedEnvironment) throws(LMDBError) -> Bool {
        let now = DispatchTime.now().uptimeNanoseconds
        let known = end.load(ordering: .relaxed)
        if now < known { return !known.isMultiple(of: 2) }
        let exist = try environment.hasReadersElsewhere()
        end.store((now + Self.interval) & ~1 | (exist ? 1 : 0), ordering: .relaxed)
        return exist
    }
}
