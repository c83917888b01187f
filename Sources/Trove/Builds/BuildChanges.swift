// The records changed by commits since the snapshot of a chunk.
//
// Commits of this process report their changed keys. Commits of other processes show only in the store's count of
// commits: it has grown by more than the reports.

import LMDB
import TroveCoding

/// A log of this process's committed changes to the records of a type.
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
        /// Whether a report of a commit between them is missing or incomplete, or too many records have changed.
        var isIncomplete = false
    }

    /// The maximum number of keys to keep.
    fileprivate static let mostKeys = 1 << 16

    private let state: Monitor<State>
    private let observation: CommitObservation

    /// Begins to log. The snapshot must be taken later: then the log misses no commit after the snapshot.
    init(_ hub: ChangeHub, ofType keyPrefix: UInt32) {
        let state = Monitor(State())
        self.state = state
        observation = hub.add { notice in
            state.withLock { $0.add(notice, keyPrefix) }
        }
    }

    /// Returns the records changed by commits.
    ///
    /// - Parameters:
    ///   - snapshot: The number of the snapshot's last commit.
    ///   - latest: The number of the last commit before the write transaction.
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
        case .some(let changed, let ranges):
            for key in changed { keys.insert(key[...]) }
            if !ranges.isEmpty { isIncomplete = true }
        }
        if keys.count > BuildChanges.mostKeys { isIncomplete = true }
        if isIncomplete { keys = [] }
    }
}
