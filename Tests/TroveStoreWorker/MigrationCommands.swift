// Programs on the same store during a migration: the old program, which answers commands, and new programs, which
// migrate.

import Foundation
import Trove

/// The old program. It answers each line of its input:
///
///     read     right N | newer            N records have the expected contents
///     watch    right N                    reads repeatedly until the migration has ended
///     write    written | newer
///     delete   deleted | newer
struct OldProgram {
    private struct Wrong: Error {
        var answer: String
    }

    let store: Store
    let count: Int

    func run() throws {
        while let question = readLine() {
            do {
                TroveStoreWorker.say(try answer(question))
            } catch StoreError.schema(.schemaNewer) {
                TroveStoreWorker.say("newer")
            }
        }
    }

    private func answer(_ question: String) throws -> String {
        switch question {
        case "read": return "right \(try readAll())"
        case "watch":
            repeat { _ = try readAll() } while try !isMigrated()
            return "right \(try readAll())"
        case "write":
            try store.insert(OldItem(number: 0))
            return "written"
        case "delete":
            try store.delete(OldItem.self, key: -1)
            return "deleted"
        default: throw Wrong(answer: question)
        }
    }

    private func readAll() throws -> Int {
        let found = try OldItem.query().resolve(in: store)
        guard found == OldItem.all(count) else { throw Wrong(answer: "\(found.count) records, not all right") }
        for number in stride(from: 0, to: count, by: 97) {
            guard try store.get(OldItem.self, key: number) == OldItem(number: number) else {
                throw Wrong(answer: "record \(number)")
            }
        }
        return found.count
    }

    private func isMigrated() throws -> Bool {
        try store.read { context in
            try context.storedTypes().allSatisfy { $0.possibleVersions.count == 1 && $0.migration == nil }
        }
    }
}

/// The old program of items with texts. It writes an item for each line of its input, `NUMBER TEXT`, and answers
/// `written` or `newer`.
struct TextProgram {
    let store: Store

    func run() throws {
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            do {
                try store.insert(TextItem(number: Int(words[0]) ?? 0, text: words[1]))
                TroveStoreWorker.say("written")
            } catch StoreError.schema(.schemaNewer) {
                TroveStoreWorker.say("newer")
            }
        }
    }
}

/// A new program. It prints the steps of its migration: `step DONE TOTAL`.
struct NewProgram {
    let path: String
    let layout: String

    func migrate() throws {
        switch layout {
        case "sorted": try migrate(SortedItem.self)
        case "renamed": try migrate(RenamedItem.self)
        default: try migrate(NewItem.self)
        }
    }

    private func migrate<Item: IndexKeyRecord>(_ type: Item.Type) throws {
        let store = try Store(path: path, records: [type], options: StoreOptions(durability: .noSync)) { step in
            TroveStoreWorker.say("step \(step.done) \(step.total)")
        }
        TroveStoreWorker.say("migrated \(try Query<Item>().count(in: store))")
    }
}
