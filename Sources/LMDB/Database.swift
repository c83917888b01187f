// The handle of a named database, for use in transactions.

import Synchronization

/// A named database (a B+tree of its own) in an environment.
///
/// A handle returned by `Environment/openDatabase(_:)` is usable in every transaction that begins afterwards. A handle
/// created by a write transaction is usable in that transaction at once, and elsewhere after its commit. After a
/// rollback, every use throws ``LMDBError/Code/databaseNotUsable``.
public final class Database: Sendable {
    /// The name, unique in its environment.
    public let name: String
    /// The current handle. It changes when the environment is opened again, never during a transaction.
    private let currentHandle: Atomic<Handle>
    let environment: ObjectIdentifier
    /// The write transaction that created this handle, until its commit or rollback; then `none`.
    private let creator: Atomic<UInt64>
    /// The number of the publication of this handle, which made it usable to all later transactions. It is `.max`
    /// before the publication, after a rollback, and after the database was dropped. Handle numbers alone would not
    /// suffice: liblmdb reuses them.
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

    /// Returns whether a transaction can use the handle, if it began after `count` publications.
    @inline(__always)
    func isPublished(by count: UInt64) -> Bool { publication.load(ordering: .relaxed) <= count }

    /// Whether new transactions can use the handle.
    var isLive: Bool { isPublished(by: .max - 1) }

    func isCreated(in serial: UInt64) -> Bool { creator.load(ordering: .relaxed) == serial && serial != Self.none }

    func publish(_ number: UInt64) {
        creator.store(Self.none, ordering: .relaxed)
        publication.store(number, ordering: .relaxed)
    }

    /// Makes the handle permanently unusable.
    func retire() {
        creator.store(Self.none, ordering: .relaxed)
        publication.store(.max, ordering: .relaxed)
    }
}
