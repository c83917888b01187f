// The records that commits have changed since the snapshot of a chunk.
//
// Commits of this process report the keys that they changed. Commits of other processes show only in the store's count
// of commits: it has grown by more than the reports.

import LMDB
import TroveCoding

/// A log of the changes that this process commits to the records of a type.
final class BuildChanges: Sendable {
    /// The keys of records that may have changed.
    enum Keys {
        case some(Set<ArraySlice<UInt8>>)
        case any

        func contains(_ key: ArraySlice<UInt8>) -> Bool {
            switch self {
            case .some(let keys): !keys.isEmpty && keys.contains(key)
            case .any: true
            }
        }
    }

    fileprivate struct State {
        /// The first and the last commit reported; nil before the first.
        var commits: ClosedRange<UInt64>?
        var keys = Set<ArraySlice<UInt8>>()
        /// Whether a commit between them was not reported, or has changed more records than it reports.
        var isIncomplete = false
    }

    /// The most keys that are kept.
    fileprivate static let mostKeys = 1 << 16

    private let state: Monitor<State>
    private let observation: CommitObservation

    /// Begins to log. The snapshot must be taken later: no commit after the snapshot is missed then.
    init(_ observers: CommitObservers, ofType keyPrefix: UInt32) {
        let state = Monitor(State())
        self.state = state
        observation = observers.add { notice in
            state.withLock { $0.add(notice, keyPrefix) }
        }
    }

    /// Returns the records that commits have changed.
    ///
    /// - Parameters:
    ///   - snapshot: The number of the last commit that the snapshot shows.
    ///   - latest: The number of the last commit that a write transaction shows.
    func keys(since snapshot: UInt64, upTo latest: UInt64) -> Keys {
        if latest == snapshot { return .some([]) }
        return state.withLock { state in
            guard let commits = state.commits, commits.lowerBound <= snapshot + 1, commits.upperBound == latest,
                !state.isIncomplete
            else { return .any }
            return .some(state.keys)
        }
    }
}

extension BuildChanges.State {
    fileprivate mutating func add(_ notice: CommitNotice, _ keyPrefix: UInt32) {
        if isIncomplete { return }
        if let commits {
            isIncomplete = notice.sequence != commits.upperBound + 1
            self.commits = commits.lowerBound...max(notice.sequence, commits.lowerBound)
        } else {
            commits = notice.sequence...notice.sequence
        }
        switch notice.changedKeys.keys(of: keyPrefix) {
        case .any: isIncomplete = true
        case .some(let changed): for key in changed { keys.insert(key[...]) }
        }
        if keys.count > BuildChanges.mostKeys { isIncomplete = true }
        if isIncomplete { keys = [] }
    }
}
