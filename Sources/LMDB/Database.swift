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
    /// Another one after the environment was opened anew, which no transaction sees happen.
    private let currentHandle: Atomic<Handle>
    let environment: ObjectIdentifier
    /// The write transaction that created this handle and has not committed yet; `none` when it has or was rolled back.
    private let creator: Atomic<UInt64>
    /// Which publication made this handle usable to all transactions that begin afterwards; `.max` before that, after a
    /// roll-back, and after the database was dropped. Handle numbers alone would not do: liblmdb uses them again.
    private let publication = Atomic<UInt64>(.max)

    private static let none: UInt64 = 0

    init(name: String, handle: Handle, environment: ObjectIdentifier, creator: UInt64) {
        self.name = name
        currentHandle = Atomic(handle)
        self.environment = environment
        self.creator = Atomic(creator)
    }

    @inline(__always)
    var handle: Handle { currentHandle.load(ordering: .relaxed) }

    func setHandle(_ handle: Handle) { currentHandle.store(handle, ordering: .relaxed) }

    /// Whether a transaction that began after that many publications can use the handle.
    @inline(__always)
    func isPublished(by count: UInt64) -> Bool { publication.load(ordering: .relaxed) <= count }

    /// Whether transactions that begin now can use the handle.
    var isLive: Bool { isPublished(by: .max - 1) }

    func isCreated(in serial: UInt64) -> Bool { creator.load(ordering: .relaxed) == serial && serial != Self.none }

    func publish(_ number: UInt64) {
        creator.store(Self.none, ordering: .relaxed)
        publication.store(number, ordering: .relaxed)
    }

    /// Makes the handle useless for good.
    func retire() {
        creator.store(Self.none, ordering: .relaxed)
        publication.store(.max, ordering: .relaxed)
    }
}
