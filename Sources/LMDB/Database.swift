// A named table of an environment: the handle by which transactions reach it.

import Synchronization

/// A named database (a B+tree of its own) in an environment.
///
/// A handle that `Environment/openDatabase(_:)` gave is usable in every transaction that begins afterwards. One that a
/// write transaction created is usable in that transaction at once, elsewhere after its commit, and nowhere when it is
/// rolled back: a use then throws ``LMDBError/Code/databaseNotUsable``.
public final class Database: Sendable {
    /// The name, unique in its environment.
    public let name: String
    let handle: Handle
    let environment: ObjectIdentifier
    /// The write transaction that created this handle and has not committed yet; 0 when it has, `.max` when it was
    /// rolled back.
    let pendingIn: Atomic<UInt64>

    static let live: UInt64 = 0
    static let dead = UInt64.max

    init(name: String, handle: Handle, environment: ObjectIdentifier, pendingIn: UInt64) {
        self.name = name
        self.handle = handle
        self.environment = environment
        self.pendingIn = Atomic(pendingIn)
    }
}
