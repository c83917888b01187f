// `trove history`

#if CommandLine
import ArgumentParser
import Foundation
import LMDB
import Trove
import TroveTerminal

/// Prints the history of a store.
struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the commits that a store has kept, with the keys that each has changed.",
        discussion: """
            A store keeps a history if a program has opened it with StoreOptions(history:). Each commit is a line with \
            its number, its time, its author and its token; then follows a line for each changed record. With --json, \
            each commit is an object on a line of its own.

            --after begins after a token, which this command, or a program, has printed before. With --token, only the \
            token of the last commit is printed: the place at which to begin the next time.

            Exit codes: 0 printed, 1 a row of the history is damaged, 2 the store could not be read, keeps no history, \
            or no longer has the commits after the token, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The type's name, with or without its module. All types if it is left out.")
    var type: String?

    @Option(help: "The token after which to begin. The oldest commit that is kept if it is left out.")
    var after: String?

    @Option(help: "The maximum number of commits.")
    var limit: Int?

    @Flag(help: "Print only the token of the last commit.")
    var token = false

    @OptionGroup var output: CommandOutput

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
        if let after, HistoryToken(rawValue: after) == nil { throw ValidationError("--after is not a token.") }
        if token, type != nil || after != nil || limit != nil {
            throw ValidationError("--token is printed alone. Leave out a type, --after and --limit.")
        }
    }

    func run() throws {
        try output.run(printsRecords: true) {
            try store.open(output).read { context in
                if token { return try output.printRecord(context.historyToken.rawValue) }
                let name = try type.map { try context.storedType(named: $0).name }
                var position = after.flatMap(HistoryToken.init(rawValue:))
                var left = limit ?? .max
                // A few commits at a time: a history can be larger than the memory.
                while left > 0 {
                    let commits = try context.history(after: position, limit: min(left, 64))
                    guard let last = commits.last else { return }
                    for commit in commits { try print(commit, name) }
                    (position, left) = (last.token, left - commits.count)
                }
            }
        }
    }

    private func print(_ commit: HistoryCommit, _ type: String?) throws {
        let changes = commit.storedChanges.filter { type == nil || $0.type == type }
        if type != nil, changes.isEmpty { return }
        if output.json { return try output.printJSONLine(PrintedCommit(commit, changes)) }
        let words = [
            "\(commit.sequence)", commit.date.formatted(.iso8601), commit.author ?? "-", commit.token.rawValue,
        ]
        try output.printHeading(FileFinding.printable(words.joined(separator: " ")))
        for change in changes {
            let words = [change.kind, change.type, change.key.map { "\($0)" } ?? "", change.tombstone?.json ?? ""]
            let line = words.filter { !$0.isEmpty }.joined(separator: " ")
            try output.printRecord("  " + FileFinding.printable(line))
        }
    }
}

/// A commit as a JSON object.
private struct PrintedCommit: Encodable {
    struct Change: Encodable {
        var change: String
        var type: String
        var key: String?
        var tombstone: String?
    }

    var commit: UInt64
    var date: String
    var author: String?
    var token: String
    var changes: [Change]

    init(_ commit: HistoryCommit, _ changes: [StoredHistoryChange]) {
        self.commit = commit.sequence
        date = commit.date.formatted(.iso8601)
        author = commit.author
        token = commit.token.rawValue
        self.changes = changes.map {
            Change(change: $0.kind, type: $0.type, key: $0.key?.description, tombstone: $0.tombstone?.json)
        }
    }
}
#endif
