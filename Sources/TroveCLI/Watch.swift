// `trove watch`

#if CommandLine
import ArgumentParser
import Dispatch
import Foundation
import LMDB
import Synchronization
import Trove
import TroveTerminal

/// Prints the changes of a store as other programs commit them.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print each change of other programs as it happens.",
        discussion: """
            Each saved record is printed with the number of the commit, its type and its properties; each removed record \
            with its key. The system reports the writes of other programs, so that nothing is polled. If a commit has \
            changed more records than the store lists for other programs, or has removed a range of records at once, \
            a line says that any record of a type may have changed. Of quick changes of the same record, only the last \
            may be printed.

            --after begins with the commits that the store has kept after a token of trove history, and goes on with each \
            new commit: no commit is left out or printed twice. Each record is printed in its state at the time of \
            printing; a saved record that has been removed since, with its key. Changes of types that the history leaves \
            out are not printed.

            The command ends after --limit changes, or when it is interrupted.

            Exit codes: 0 the limit was reached, 1 a record is damaged, 2 the store could not be read or does not have \
            the type or the commits after the token, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The type's name, with or without its module. All types if it is left out.")
    var type: String?

    @Option(help: "The number of changes after which the command ends.")
    var limit: Int?

    @Option(help: "The token of trove history after which to begin. The changes from now on if it is left out.")
    var after: String?

    @OptionGroup var output: CommandOutput

    func validate() throws {
        if let after, HistoryToken(rawValue: after) == nil { throw ValidationError("--after is not a token.") }
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    func run() throws {
        try output.run(printsRecords: true) {
            let store = try self.store.open(output)
            let name = try type.map { name in try store.read { try $0.storedType(named: name).name } }
            let end = WatchEnd(limit: limit)
            let (isJSON, isQuiet) = (output.json, output.quiet)
            let history = after.flatMap(HistoryToken.init(rawValue:)).map(store.history(after:))
            // The system reports each commit: all of their changes are printed.
            let changes = history == nil ? store.storedChanges(of: name, atMost: .max, bytes: .max) : nil
            let print = { @Sendable (commit: UInt64, changes: [StoredChange]) in
                for change in changes where end.takesAnother() && !isQuiet {
                    try StandardOutput.write((isJSON ? try change.json(commit) : try change.line(commit)) + "\n")
                }
                try StandardOutput.flush()
                end.noteReport()
            }
            try output.printNote("watching \(store.path)")
            let watching = Task {
                do {
                    if let history {
                        for try await commit in history {
                            let changes = try await store.read { try $0.storedChanges(in: commit, named: name) }
                            try print(commit.sequence, changes)
                        }
                    } else if let changes {
                        for try await commits in changes { try print(commits.commits.upperBound, commits.changes) }
                    }
                } catch {
                    end.note(error)
                }
            }
            defer { watching.cancel() }
            try end.wait()
        }
    }
}

/// The end of a watch: after a number of changes, or with an error.
private final class WatchEnd: Sendable {
    private let left: Atomic<Int>
    private let error = Mutex<(any Error)?>(nil)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(limit: Int?) { left = Atomic(limit ?? .max) }

    /// Counts a change. Returns false after the last. Called by one task.
    func takesAnother() -> Bool {
        let before = left.load(ordering: .relaxed)
        if before > 0 { left.store(before - 1, ordering: .relaxed) }
        return before > 0
    }

    /// Ends the watch if the limit is reached.
    func noteReport() {
        if left.load(ordering: .relaxed) == 0 { hasEnded.signal() }
    }

    func note(_ failure: any Error) {
        error.withLock { $0 = $0 ?? failure }
        hasEnded.signal()
    }

    func wait() throws {
        hasEnded.wait()
        if let error = error.withLock({ $0 }) { throw error }
    }
}

extension StoredChange {
    private var verb: String {
        switch event {
        case .saved, .savedAndRemoved, .unreadable: "saved"
        case .removed: "removed"
        case .any: "any"
        }
    }

    /// Returns the change as a line of text.
    ///
    /// - Throws: The error of a damaged record.
    fileprivate func line(_ commit: UInt64) throws -> String {
        let details =
            switch event {
            case .saved(let record): record.json
            case .removed, .savedAndRemoved: key.map { "\($0)" } ?? ""
            case .unreadable(let error): throw error
            case .any: ""
            }
        let words = [String(commit), verb, type ?? "any type", details]
        return words.filter { !$0.isEmpty }.map(FileFinding.printable).joined(separator: " ")
    }

    /// Returns the change as a JSON object.
    ///
    /// - Throws: The error of a damaged record.
    fileprivate func json(_ commit: UInt64) throws -> String {
        let type = try Self.json(type)
        var members = ["\"commit\":\(commit)", "\"change\":\"\(verb)\"", "\"type\":\(type)"]
        switch event {
        case .saved(let record): members.append("\"record\":\(record.json)")
        case .removed, .savedAndRemoved: try members.append("\"key\":" + Self.json(key?.description))
        case .unreadable(let error): throw error
        case .any: break
        }
        return "{\(members.joined(separator: ","))}"
    }

    private static func json(_ text: String?) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return String(decoding: try encoder.encode(text), as: UTF8.self)
    }
}
#endif
