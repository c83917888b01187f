// Records whose texts come from other records, gathered in transactions and outside of them.

import Synchronization
import Testing

@testable import Trove

/// A record that is part of the texts of others.
@IndexKeyRecord("id")
struct Singer: Hashable {
    let id: Int
    var name: String
}

/// A record with text that is gathered in the transaction of its save: its title and its singer's name.
@IndexKeyRecord("id")
struct Chant: Hashable {
    #FullTextIndex<Chant>(
        "Index",
        gathering: { keys, context in
            var texts: [Int: String] = [:]
            for chant in try context.get(Chant.self, keys: keys) where chant.title != "silent" {
                if chant.title == "failing" { throw NoText(id: chant.id) }
                let singer = try context.get(Singer.self, key: chant.singer)
                texts[chant.id] = chant.title + " " + (singer?.name ?? "")
            }
            GatheredCalls.note(keys)
            return texts
        })
    #FullTextIndex<Chant>(\.title)

    let id: Int
    var title: String
    var singer: Int
}

/// A record with text that is gathered after the commit.
@IndexKeyRecord("id")
struct Still: Hashable {
    #FullTextIndex<Still>(
        "Signs", version: 2,
        gathering: { keys, store in
            try await GatheredCalls.pass(keys)
            var texts: [Int: String] = [:]
            for photo in try await store.get(Still.self, keys: keys) where photo.file != "blank" {
                if photo.file == "failing" { throw NoText(id: photo.id) }
                texts[photo.id] = "seen " + photo.file
            }
            return texts
        })

    let id: Int
    var file: String
}

/// The error of a closure that finds no text.
struct NoText: Error {
    let id: Int
}

/// What the closures of a test see, by task-local values: other tests run at the same time.
enum GatheredCalls {
    /// Receives the keys of each call in the transaction.
    @TaskLocal static var log: CallLog?

    static func note(_ keys: [Int]) { log?.add(keys) }

    /// A closure of a test. As the value of a task-local variable without a struct around it, a closure ends the
    /// process in release (Swift 6.3.1).
    struct Hook: Sendable {
        let closure: @Sendable ([Int]) async throws -> Void
    }

    /// Runs in each call outside of transactions.
    @TaskLocal static var hook: Hook?

    static func pass(_ keys: [Int]) async throws { try await hook?.closure(keys) }
}

/// The keys of calls.
final class CallLog: Sendable {
    private let log = Mutex<[[Int]]>([])
    func add(_ keys: [Int]) { log.withLock { $0.append(keys) } }
    var calls: [[Int]] { log.withLock { $0 } }
}

extension Store {
    /// Returns a store that gathers only when a test calls `gatherTexts`.
    static func quiet(_ types: any IndexKeyRecord.Type...) throws -> Store {
        try temporary(records: types, options: StoreOptions(gathersTexts: false))
    }
}
