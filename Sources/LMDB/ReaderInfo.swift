// A reader of an environment.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A read transaction of any process, as recorded in its slot of the lock file.
public struct ReaderInfo: Hashable, Sendable {
    /// The process that owns the slot.
    public var process: Int
    /// The thread that owns the slot, as the system numbers threads.
    public var thread: String
    /// The number of the transaction's snapshot; nil for an idle slot.
    public var transaction: Int?
}
