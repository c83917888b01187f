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
            each commit is an object on a line of its own, with keys and kept properties as objects.

            --after begins after a token, which this command, or a program, has printed before. With --token, only the \
            token of the last commit is printed: the position after which to begin the next time.

            Exit codes: 0 printed, 1 a row of the history is damaged, 2 the store could not be read, keeps no history, \
            or no longer has the commits after the token, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The type's name, with or without its module. All types if it is left out.")
    var type: String?

    @Option(help: "The token after which to begin. The oldest commit that is kept if it is left out.")
    var after: String?

    @Option(help: "The maximum number of commits to print.")
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
                if token { return try printToken(context.historyToken.rawValue) }
                let name = try type.map { try context.storedType(named: $0).name }
                var position = after.flatMap(HistoryToken.init(rawValue:))
                var left = limit ?? .max
                // A few commits at a time: a history can be larger than the memory.
                while left > 0 {
                    let commits = try context.history(after: position, limit: min(left, 64))
                    guard let last = commits.last else { return }
                    for commit in commits where try print(commit, name) {
                        left -= 1
                        if left == 0 { return }
                    }
                    position = last.token
                }
            }
        }
    }

    private func printToken(_ token: String) throws {
        if output.json { try output.printJSONLine(["token": token]) } else { try output.printRecord(token) }
    }

    /// Prints a commit. Returns false for a commit without a change of the type.
    private func print(_ commit: HistoryCommit, _ type: String?) throws -> Bool {
        let changes = commit.storedChanges.filter { type == nil || $0.type == type }
        if type != nil, changes.isEmpty { return false }
        if output.json {
            try output.printRecord(commit.json(changes))
            return true
        }
        let words = ["\(commit.sequence)", commit.dateText, commit.author ?? "-", commit.token.rawValue]
        try output.printHeading(FileFinding.printable(words.joined(separator: " ")))
        for change in changes {
            let words = [
                change.kind.rawValue, change.type, change.key.map { "\($0)" } ?? "", change.tombstone?.json ?? "",
            ]
            let line = words.filter { !$0.isEmpty }.joined(separator: " ")
            try output.printRecord("  " + FileFinding.printable(line))
        }
        return true
    }
}

extension HistoryCommit {
    /// The time of the commit, exact to the last digit.
    fileprivate var dateText: String {
        let seconds = date.timeIntervalSinceReferenceDate
        return ISO8601Text.text(seconds) ?? "\(seconds)"
    }

    /// Returns the commit with some of its changes as a JSON object.
    fileprivate func json(_ changes: [StoredHistoryChange]) throws -> String {
        var members = ["\"commit\":\(sequence)", try "\"date\":" + CommandOutput.json(dateText)]
        if let author { members.append(try "\"author\":" + CommandOutput.json(author)) }
        members.append(try "\"token\":" + CommandOutput.json(token.rawValue))
        members.append(try "\"changes\":[\(changes.map { try $0.json }.joined(separator: ","))]")
        return "{\(members.joined(separator: ","))}"
    }
}

extension StoredHistoryChange {
    /// The change as a JSON object. A key in a layout of its own is a text in hexadecimal.
    fileprivate var json: String {
        get throws {
            var members = try ["\"change\":\"\(kind.rawValue)\"", "\"type\":" + CommandOutput.json(type)]
            if let key { members.append(try "\"key\":" + (key.components?.json ?? CommandOutput.json("\(key)"))) }
            if let tombstone { members.append("\"tombstone\":" + tombstone.json) }
            return "{\(members.joined(separator: ","))}"
        }
    }
}
#endif
