// A program that follows the history of a store, and applies each commit to another store.

import Trove

/// The position of a follower.
@IndexKeyRecord("name")
package struct Follower: Hashable {
    package let name: String
    package var token: HistoryToken
}

/// A commit that a follower has applied.
@IndexKeyRecord("sequence")
package struct AppliedCommit: Hashable {
    package let sequence: UInt64
    package var author: String?
    /// A digest of the token and of all changes.
    package var digest: UInt64
    /// The number of times that the commit was applied.
    package var times: Int

    package init(_ commit: HistoryCommit, times: Int) {
        (sequence, author, digest, self.times) = (commit.sequence, commit.author, 0xCBF2_9CE4_8422_2325, times)
        add(commit.token.rawValue.utf8)
        for change in commit.storedChanges {
            add(change.kind.rawValue.utf8)
            add(change.type.utf8)
            add(change.key?.bytes ?? [])
        }
    }

    private mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}

/// A program that follows the steps of ``HistoryScript``: `follow SOURCE COPY`. It prints for the test
///
///     begun COMMIT
///     ended COMMIT
///     done              all steps are applied
struct FollowCommand {
    private let source: Store
    private let copy: Store

    init(_ arguments: [String]) throws {
        guard arguments.count == 2 else { throw WorkerError(arguments: arguments) }
        source = try Store(path: arguments[0], records: HistoryScript.types)
        copy = try Store(path: arguments[1], records: HistoryScript.types + [Follower.self, AppliedCommit.self])
    }

    func run() async throws {
        let token = try await copy.read { try Follower.get(in: $0, name: "copy")?.token }
        if try isAtEnd(token) { return say("done") }
        for try await commit in source.history(after: token) {
            say("begun \(commit.sequence)")
            try apply(commit)
            say("ended \(commit.sequence)")
            if try isAtEnd(commit.token) { return say("done") }
        }
    }

    /// Returns whether a position is that after the last step.
    private func isAtEnd(_ token: HistoryToken?) throws -> Bool {
        try source.read { source in
            try Voyage.steps(in: source) == HistoryScript.stepCount && source.historyToken == token
        }
    }

    /// Applies a commit, and stores the position with it.
    private func apply(_ commit: HistoryCommit) throws {
        try source.read { source in
            try copy.write { copy in
                try apply(commit.changes(of: Letter.self), from: source, to: copy)
                try apply(commit.changes(of: Postcard.self), from: source, to: copy)
                try apply(commit.changes(of: Voyage.self), from: source, to: copy)
                let times = try AppliedCommit.get(in: copy, sequence: commit.sequence)?.times ?? 0
                try copy.insert(AppliedCommit(commit, times: times + 1))
                try copy.insert(Follower(name: "copy", token: commit.token))
            }
        }
    }

    private func apply<Record: IndexKeyRecord>(
        _ changes: [HistoryChange<Record>], from source: ReadContext, to copy: TransactionContext
    ) throws {
        for change in changes {
            guard let key = change.key else { continue }
            if let record = try source.get(Record.self, key: key) {
                try copy.insert(record)
            } else {
                try copy.delete(Record.self, key: key)
            }
        }
    }
}
