// The other process of the store's tests: `command path name count`. It also writes the stored samples.

import Foundation
import Trove

@main
enum TroveStoreWorker {
    static func main() async {
        if CommandLine.arguments.dropFirst().first == "as-nobody" {
            return OutsiderCommand.run(path: CommandLine.arguments[2])
        }
        do {
            if CommandLine.arguments.dropFirst().first == "publish" {
                return try PublishCommand.run(Array(CommandLine.arguments.dropFirst()))
            }
            if CommandLine.arguments.count == 4, let count = Int(CommandLine.arguments[3]) {
                let stores = ManyStores(directory: CommandLine.arguments[2], count: count)
                switch CommandLine.arguments[1] {
                case "many-files": return try stores.openFiles()
                case "many-temporary": return try stores.openTemporary()
                default: break
                }
            }
            if CommandLine.arguments.count == 3 {
                let path = CommandLine.arguments[2]
                switch CommandLine.arguments[1] {
                case "write-sample": return try SampleStore.write(to: path)
                case "write-table-sample": return try SampleTables.write(to: path)
                case "write-text-sample": return try SampleTexts.write(to: path)
                case "write-link-sample": return try SampleLinks.write(to: path)
                case "write-totals-sample": return try SampleTotals.write(to: path)
                case "write-rank-sample": return try SampleRanks.write(to: path)
                case "write-history-sample": return try SampleHistory.write(to: path)
                case "interrupt-migration": try SampleStore.interruptMigration(at: path)
                default: break
                }
            }
            try await StoreCommands(Array(CommandLine.arguments.dropFirst())).run()
        } catch {
            say("error: \(error)")
            exit(1)
        }
    }

    /// Prints a line for the test at once.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

private struct StoreCommands {
    struct Unknown: Error {
        var arguments: [String]
    }

    let arguments: [String]
    let store: Store
    let name: String
    let count: Int

    init(_ arguments: [String]) throws {
        guard arguments.count == 4, let count = Int(arguments[3]) else { throw Unknown(arguments: arguments) }
        self.arguments = arguments
        self.count = count
        name = arguments[2]
        // Flushing widens the window between the parts of a commit, for kills within it.
        let durability: StoreOptions.Durability = arguments[0].hasPrefix("commit") ? .full : .noSync
        var options = StoreOptions(durability: durability)
        if arguments[0] == "use", let group = StoreFeature.Group(rawValue: name) {
            options.supportedFeatures.remove(.changeHints)
            options.supportedFeatures.insert(StoreFeature(UInt32(count), group))
        }
        // A program of an earlier version, which does not know the hints.
        if arguments[0] == "left-without-hints" { options.supportedFeatures.remove(.changeHints) }
        // A program of an earlier version, which does not know totals.
        if arguments[0] == "purchases-without-feature" { options.supportedFeatures.remove(.totals) }
        // A program of an earlier version, which does not know ranks.
        if arguments[0] == "scores-without-feature" { options.supportedFeatures.remove(.ranks) }
        // A program of an earlier version, which does not know histories.
        if arguments[0] == "recipes-without-feature" { options.supportedFeatures.remove(.history) }
        store = try Store(path: arguments[1], options: options)
    }

    func run() async throws {
        TroveStoreWorker.say("ready")
        switch arguments[0] {
        case "insert": try afterSignal(insert)
        case "identify": TroveStoreWorker.say("\(try store.identifier)")
        case "left", "left-without-hints": try afterSignal { try store.insert(Left(number: $0)) }
        case "right": try afterSignal { try store.insert(Right(number: $0)) }
        case "await": try awaitLines()
        case "reading": try read()
        case "hold": try hold()
        case "commit": try commit()
        case "commit-together": try await commitTogether()
        case "old-program": try OldProgram(store: store, count: count).run()
        case "unaware":
            _ = readLine()
            try UnawareProgram(store: store).run()
        case "listeners": try ListenerProgram(store: store).run()
        case "texts": try TextProgram(store: store).run()
        case "migrate": try afterSignal { _ in try NewProgram(path: store.path, layout: name).migrate() }
        case "claim":
            _ = readLine()
            try ClaimingProgram(store: store, writer: name, count: count).run()
        case "append":
            _ = readLine()
            try AppendingProgram(store: store, writer: Int(name) ?? 0, count: count).run()
        case "move":
            _ = readLine()
            try MovingProgram(store: store, boards: count).run()
        case "verses":
            _ = readLine()
            try VerseProgram(store: store, writer: Int(name) ?? 0, count: count).run()
        case "build-verses":
            _ = readLine()
            for _ in 0..<count { try buildVerses() }
        case "purchases":
            _ = readLine()
            try PurchaseProgram(store: store, writer: Int(name) ?? 0, count: count).run()
        case "plain-purchases", "purchases-without-feature":
            try PlainProgram(store: store, record: PlainPurchase.numbered(1_000)).run()
        case "build-purchases":
            _ = readLine()
            try rebuild(SharedPurchase.self)
        case "scores":
            _ = readLine()
            try ScoreProgram(store: store, writer: Int(name) ?? 0, count: count).run()
        case "score-turns": try ScoreTurns(store: store).run()
        case "plain-scores", "scores-without-feature":
            try PlainProgram(store: store, record: PlainScore.numbered(1_000)).run()
        case "build-scores":
            _ = readLine()
            try rebuild(SharedScore.self)
        case "recipes":
            _ = readLine()
            try RecipeProgram(store: store, writer: Int(name) ?? 0, count: count).run()
        case "recipe-turns": try RecipeTurns(store: store, writer: Int(name) ?? 0).run()
        case "recipes-without-feature":
            try PlainProgram(store: store, record: SharedRecipe(id: 1_000, text: "")).run()
        case "follow-recipes": try await RecipeFollower(store: store, count: count).run()
        case "gather":
            _ = readLine()
            try await GatheringProgram(path: store.path).run()
        case "use": try useFeature()
        case "mark": try afterSignal { try store.insert(NewMark(number: $0, value: name)) }
        default: throw Unknown(arguments: arguments)
        }
        TroveStoreWorker.say("done")
    }

    /// Inserts a line that contains the number of earlier lines. In the middle, it waits until another process has
    /// inserted as many lines, so that both processes write at the same time.
    private func insert(_ number: Int) throws {
        if number == count / 2 {
            while try Line.query().count(in: store) < count {}
        }
        try store.write { context in
            let others = try Line.query().count(in: context)
            try context.insert(Line(writer: name, number: number, text: "\(others)"))
        }
    }

    /// Waits for a line from the test before inserting, to let two processes insert at the same time.
    private func afterSignal(_ insert: (Int) throws -> Void) throws {
        _ = readLine()
        for number in 0..<count { try insert(number) }
    }

    /// Reads until it sees all lines of another process.
    private func awaitLines() throws {
        var seen = 0
        while seen < count {
            let now = try Line.query(writer: name).count(in: store)
            guard now >= seen else { throw Unknown(arguments: ["\(seen) records became \(now)"]) }
            seen = now
        }
    }

    /// Empties the index of the verses, and builds it.
    private func buildVerses() throws {
        let store = try Store(
            path: store.path, records: [SharedVerse.self], options: StoreOptions(durability: .noSync))
        try store.rebuild()
    }

    /// Empties the indexes of a type, and builds them: `count` times, or until the process is killed.
    private func rebuild(_ type: any IndexKeyRecord.Type) throws {
        let store = try Store(path: store.path, records: [type], options: StoreOptions(durability: .noSync))
        var number = 0
        while count == 0 || number < count {
            try store.rebuild()
            TroveStoreWorker.say("\(number)")
            number += 1
        }
    }

    /// Marks the feature `count` of the group `name` as used, as a later version of Trove does.
    private func useFeature() throws {
        guard let group = StoreFeature.Group(rawValue: name) else { throw Unknown(arguments: arguments) }
        _ = readLine()
        try store.write { context in
            try context.use(StoreFeature(UInt32(count), group))
            try context.insert(Line(writer: "later", number: count))
        }
    }

    /// Reads, and stays open.
    private func read() throws {
        _ = try store.commitSequence
        TroveStoreWorker.say("reading")
        _ = readLine()
    }

    /// Stays in the middle of a transaction.
    private func hold() throws {
        try store.write { context in
            for number in 0..<count { try context.insert(Line(writer: name, number: number)) }
            TroveStoreWorker.say("holding")
            _ = readLine()
        }
    }

    /// Commits lines in sequence, and prints the number of each committed line, until the process is killed.
    private func commit() throws {
        var number = try (Line.query(writer: name).order(.descending).first(in: store)?.number ?? -1) + 1
        while true {
            try store.write { context in
                try context.insert(
                    Line(writer: name, number: number, text: String(repeating: "x", count: number % 5000)))
                // Old lines are deleted, to free their pages for reuse.
                if number >= 200 { try context.delete(Line.self, key: Tuple(name, number - 200)) }
            }
            TroveStoreWorker.say("\(number)")
            number += 1
        }
    }

    /// Runs `count` tasks that commit lines in sequence, and prints the number of each committed line, until the
    /// process is killed.
    private func commitTogether() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<count {
                group.addTask { try await commit(in: task) }
            }
            try await group.waitForAll()
        }
    }

    private func commit(in task: Int) async throws {
        let writer = "\(name) \(task)"
        var number = try await store.read { context in
            try (Line.query(writer: writer).order(.descending).first(in: context)?.number ?? -1) + 1
        }
        while true {
            let line = Line(writer: writer, number: number, text: Line.text(of: number))
            try await store.write { context in
                try context.insert(line)
                // Old lines are deleted, to free their pages for reuse.
                if line.number >= 50 { try context.delete(Line.self, key: Tuple(writer, line.number - 50)) }
            }
            TroveStoreWorker.say("\(task) \(number)")
            number += 1
        }
    }
}
