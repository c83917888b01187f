// What opening a store does about records of older layouts.

/// When the records of types that have changed are rewritten, when new or changed indexes and unique constraints are made
/// of the records, and whether a newer layout may be given up.
///
/// Whatever the policy, every record that can be converted is read correctly from the first moment on: one of an older
/// layout is converted in memory, and a read never writes. A type whose **key** has changed is the exception: its records stand in an order that
/// no query could use, so that they are rewritten while the store opens, except under ``refuse``.
///
/// An index is made of the records after they are rewritten, and made anew after every change of the type's layout. Until it
/// is ready, queries do without it, and every write maintains it. Two records that contradict a unique constraint do not
/// keep the store from opening: a warning (swift-log, label `trove`) names them each time, and
/// ``Store/finishMigrations(progress:)-(_)`` throws them, until they are put right. Damaged records are passed over, and told
/// of in the same ways. Types with indexes that the program does not declare are left as they
/// are until ``Store/dropUndeclaredIndexes()``.
public struct MigrationPolicy: Hashable, Sendable {
    enum Timing: Hashable, Sendable {
        case onOpen, background, lazily, refuse
    }

    let timing: Timing
    let allowsOlderLayout: Bool

    /// Rewrites all records of older layouts, and makes all indexes, before the store has opened, in many short
    /// transactions; to make an index, some take up to a few seconds. The default.
    public static let onOpen = MigrationPolicy(timing: .onOpen, allowsOlderLayout: false)
    /// Opens the store at once, and rewrites the records and makes indexes meanwhile, a few milliseconds at a time, on a
    /// thread that gives way to all others. What stops it is reported by a warning (swift-log, label `trove`), and is thrown by
    /// ``Store/finishMigrations(progress:)``.
    public static let background = MigrationPolicy(timing: .background, allowsOlderLayout: false)
    /// Leaves each record as it is until it is written again, or until ``Store/finishMigrations(progress:)`` rewrites all
    /// and makes the indexes: in an async function, `await` that one, so that opening never blocks a thread of the cooperative pool for long.
    public static let lazily = MigrationPolicy(timing: .lazily, allowsOlderLayout: false)
    /// Throws ``StoreError/migrationRefused(path:plan:)``, with the plan, where there is anything to rewrite or to
    /// make. Records that contradict a constraint which is made already are no reason.
    public static let refuse = MigrationPolicy(timing: .refuse, allowsOlderLayout: false)
    /// The same as ``onOpen``, and an older program may take its own layout up again; see ``allowingOlderLayout``.
    public static let allowOlderLayout = onOpen.allowingOlderLayout

    /// The policy, with the permission to go back.
    ///
    /// A program whose layout of a type was the newest once, and is so no more, is refused: with each record that it
    /// wrote it would lose what the newer fields hold. With this permission its layout becomes the newest again, and the
    /// records are converted to it, as far as the rules go; ``Store/migrationPlan(for:validating:)`` lists the fields
    /// that are lost. The newer program needs the same permission then.
    public var allowingOlderLayout: MigrationPolicy { MigrationPolicy(timing: timing, allowsOlderLayout: true) }
}
