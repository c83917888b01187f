// The policy for records of older layouts when a store is opened.

/// A policy for migrations: when records of older layouts are rewritten, when new or changed indexes and unique
/// constraints are built, whether the store may return to an older layout, whether a migration may drop values, and
/// whether indexes that the program no longer declares are dropped.
///
/// With every policy, each record that can be converted is read correctly at once: a record of an older layout is
/// converted in memory, and a read never writes. A type with a changed **key** is the exception. Queries cannot use the
/// order of its records, so they are rewritten while the store opens, except with ``refuse``.
///
/// An index is built after the records are rewritten, and rebuilt after every change of the type's layout. Until the
/// index is ready, queries do not use it, and every write maintains it. Two records with the same unique values do not
/// keep the store from opening. A warning (swift-log, label `trove`) names them each time, and
/// `Store.finishMigrations(progress:)` throws an error for them, until they are corrected. Damaged records are
/// skipped and reported in the same ways, and so are records that the type cannot decode. Types with indexes unknown to
/// the program are left unchanged, with a warning at each opening, until `Store.dropUndeclaredIndexes()` or
/// ``droppingUndeclaredIndexes``; types with relations unknown to the program until `Store.dropUndeclaredRelations()`.
///
/// The declared relations of entities are adjusted while the store opens. Links of another form are rewritten then,
/// except with ``refuse``, as are the links of records with other keys.
public struct MigrationPolicy: Hashable, Sendable {
    enum Timing: Hashable, Sendable {
        case onOpen, background, lazily, refuse
    }

    let timing: Timing
    var allowsOlderLayout = false
    var refusesLoss = false
    var dropsUndeclaredIndexes = false

    /// Whether records and indexes may wait until the store is open.
    var leavesWork: Bool { timing == .background || timing == .lazily }

    /// Rewrites all records of older layouts and builds all indexes while the store opens, in many short transactions.
    /// Some transactions for an index take up to a few seconds. The default.
    public static let onOpen = MigrationPolicy(timing: .onOpen)
    /// Opens the store at once. A thread of low priority rewrites the records and builds the indexes afterwards, a few
    /// milliseconds at a time. An error that stops it is reported as a warning (swift-log, label `trove`), and thrown
    /// by `Store.finishMigrations(progress:)`.
    public static let background = MigrationPolicy(timing: .background)
    /// Leaves each record unchanged until its next write, or until `Store.finishMigrations(progress:)` rewrites all
    /// records and builds the indexes.
    ///
    /// If writes would drop a field, each opening of the store logs a warning (swift-log, label `trove`) that names it.
    public static let lazily = MigrationPolicy(timing: .lazily)
    /// Throws ``StoreError/SchemaError/migrationRefused(path:plan:)``, with the plan, if there are records or links to
    /// rewrite, or indexes to build. Duplicate values under an existing constraint do not throw.
    public static let refuse = MigrationPolicy(timing: .refuse)
    /// The policy ``onOpen`` with permission for an older program to restore its own layout; see
    /// ``allowingOlderLayout``.
    public static let allowOlderLayout = onOpen.allowingOlderLayout

    /// The policy with permission to return to an older layout.
    ///
    /// If a newer program has replaced the layout of this program, this program is refused: each record that it wrote
    /// would lose the values of the newer fields. With this permission, its layout becomes the newest again, and the
    /// automatic rules convert the records to it where they can. `Store.migrationPlan(for:validating:)` lists the
    /// lost fields. Afterwards, the newer program needs the same permission.
    public var allowingOlderLayout: MigrationPolicy {
        var policy = self
        policy.allowsOlderLayout = true
        return policy
    }

    /// The policy that drops indexes and unique constraints that the declared types no longer have:
    /// `.onOpen.droppingUndeclaredIndexes`.
    ///
    /// A changed index is a new index beside the old one. The store keeps the old index for the program that declared
    /// it, and this program cannot write the type until the old index is dropped. A program that owns its store, and
    /// shares it with no older program, drops it with this policy while the store opens, as
    /// `Store.dropUndeclaredIndexes()` does. An older program that declares the index builds it again.
    ///
    /// Nothing is dropped if the store cannot be opened with the declared types.
    public var droppingUndeclaredIndexes: MigrationPolicy {
        var policy = self
        policy.dropsUndeclaredIndexes = true
        return policy
    }

    /// The policy without permission to lose values: `.onOpen.refusingLoss`.
    ///
    /// A field that a declared type no longer has is dropped with its values when its records are rewritten. If a
    /// record has such a value, opening the store throws ``StoreError/SchemaError/valuesWouldBeLost(path:losses:)``
    /// instead, before anything is rewritten, and `Store.finishMigrations(progress:)` does too. Fields inside values
    /// count, nil does not. The type's own `migrate(_:from:)` and `init(decoding:version:)` may drop fields.
    ///
    /// If a field is dropped, the records of its type are read while the store opens, with every policy.
    public var refusingLoss: MigrationPolicy {
        var policy = self
        policy.refusesLoss = true
        return policy
    }
}
