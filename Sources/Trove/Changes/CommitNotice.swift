// The changes of a commit, for observers.

/// The changes of a commit.
struct CommitNotice: Sendable {
    /// The commit's number in ``Store/commitSequence``.
    let sequence: UInt64
    let changedKeys: ChangedKeys
}
