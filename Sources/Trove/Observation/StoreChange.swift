// The changes of commits, for programs.

import TroveCoding

/// The changes of some commits: a single commit if the loop keeps up, and otherwise several, joined.
///
/// ```swift
/// for try await change in store.changes {
///     switch change.keys(of: User.self) {
///     case .none: break
///     case .these(let keys): refresh(keys)
///     case .any: refreshAll()
///     }
/// }
/// ```
public struct StoreChange: Sendable {
    /// The changed records of a type.
    public enum Keys<Record: IndexKeyRecord>: Sendable {
        /// No record has changed.
        case none
        /// Only the records with these keys may have changed: they were stored, replaced or removed. The keys are in
        /// ascending order, each once.
        case these([Record.IndexKey])
        /// Any record may have changed: more than some hundred keys, a range of keys that was removed at once, a
        /// migration to other keys, or commits of another process about which nothing more is known.
        case any
    }

    /// The ``Store/commitSequence`` of the first and the last of the commits.
    public let commits: ClosedRange<UInt64>
    /// Whether all of the commits are of this process.
    public let isOwn: Bool
    private let changes: ChangedKeys

    init(_ commits: ClosedRange<UInt64>, isOwn: Bool, _ changes: ChangedKeys) {
        self.commits = commits
        self.isOwn = isOwn
        self.changes = changes
    }

    /// Returns the keys of the records of a type that may have changed.
    ///
    /// - Complexity: O(*n* log *n*) in the number of keys, of which there are some hundred at most.
    public func keys<Record: IndexKeyRecord>(of type: Record.Type) -> Keys<Record> {
        let keys = changes.keys(of: Record.schema.keyPrefix)
        guard case .some(let bytes, let ranges) = keys.inOrder, ranges.isEmpty else { return .any }
        do {
            return bytes.isEmpty ? .none : .these(try bytes.map { try Record.key($0) })
        } catch {
            // Keys of another layout of the type.
            return .any
        }
    }
}

extension StoreChange.Keys: Equatable where Record.IndexKey: Equatable {}

extension Store {
    /// The changes of each commit from now on, of this process and of others.
    ///
    /// A loop that is slower than the commits gets several of them joined. So this is not a log of all changes: it says
    /// that something has changed, and where.
    ///
    /// The first element comes with the first commit after this property was read, however late the loop begins. So
    /// read the property before the task of the loop, and before the state that the changes are applied to:
    ///
    /// ```swift
    /// let changes = store.changes
    /// let watcher = Task { for try await change in changes { apply(change) } }
    /// ```
    ///
    /// The sequence keeps the store open, and a bounded log of changes, until it is released. Each loop over it begins
    /// with the changes since the property was read.
    ///
    /// Rules of ``ObservedValues`` apply: no writer waits for a loop, and a loop may write.
    public var changes: ObservedValues<StoreChange> {
        ObservedValues(self, after: ChangesStart(self)) { StoreChangesReader() }
    }
}

/// Reads the changes of a store.
private final class StoreChangesReader: ObservedReader {
    private var last: StoreChange?

    func read(in context: ReadContext, _ step: ReadStep) -> Bool {
        context.readRegion?.noteEverything()
        guard let seen = step.last, !step.changes.isEmpty else { return false }
        // A store that was opened again may have gone back.
        let first = min(seen + 1, step.commit)
        last = StoreChange(first...step.commit, isOwn: step.isOwn, step.changes)
        return true
    }

    func value() throws -> StoreChange {
        guard let last else { throw CancellationError() }
        return last
    }

    func mayChange(in round: Round) -> Bool { true }
}
