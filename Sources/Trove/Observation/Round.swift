// A round of observation: the changes between two snapshots, and the newer snapshot.

/// The changes between two snapshots, and the newer snapshot.
struct Round {
    /// The newer snapshot.
    let context: ReadContext
    /// The commits after the older snapshot. The last is the one whose state the newer snapshot shows.
    let commits: ClosedRange<UInt64>
    /// Whether all of the commits are of this process.
    let isOwn: Bool
    let changes: RoundChanges

    init(_ context: ReadContext, _ extract: RoundExtract) {
        self.context = context
        (commits, isOwn, changes) = (extract.commits, extract.isOwn, extract.changes)
    }

    /// Whether the newer snapshot may show a commit before the older one: the environment was opened again. Such a
    /// round has a single commit, with changes of any record.
    var mayGoBack: Bool { !isOwn && commits.count == 1 && changes.all.isEverything }

    /// Returns the keys of a type that may have changed.
    func keys(of keyPrefix: UInt32) -> ChangedKeys.Keys { changes.keys(of: keyPrefix) }
}

/// The changes of a round, sorted out by type once.
final class RoundChanges {
    let all: ChangedKeys
    private var known: [UInt32: ChangedKeys.Keys] = [:]
    /// The changed records that observers have read, by type and key; nil for keys without a record.
    var records: [UInt32: [[UInt8]: CurrentRecord?]] = [:]

    init(_ all: ChangedKeys) { self.all = all }

    /// Returns the changed keys of a type in ascending order, each once.
    func keys(of keyPrefix: UInt32) -> ChangedKeys.Keys {
        if let keys = known[keyPrefix] { return keys }
        let keys = all.keys(of: keyPrefix).inOrder
        known[keyPrefix] = keys
        return keys
    }
}
