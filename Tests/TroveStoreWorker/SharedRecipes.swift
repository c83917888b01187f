// Programs that write recipes to a store with a history at the same time or in turns, and a program that follows the
// history.

import Trove

@IndexKeyRecord(keyPrefix: 4_000_091, "id")
package struct SharedRecipe: Hashable {
    #Index<SharedRecipe>(\.text)

    package let id: Int
    package var text: String

    package init(id: Int, text: String) { (self.id, self.text) = (id, text) }
}

/// A transaction of a program, with the changes that the history must have of it.
@IndexKeyRecord(keyPrefix: 4_000_092, "writer", "number")
package struct RecipeTurn: Hashable {
    package let writer: Int
    package let number: Int
    /// The changed recipes, such as `updated(1) inserted(2)`.
    package var changes: String

    /// The author of the transactions of a program.
    package static func author(of writer: Int) -> String? { writer == 0 ? nil : "writer \(writer)" }

    /// Carries out a transaction that depends on the store and on its numbers alone. Returns the changes.
    ///
    /// - Parameter writer: The number of the program.
    @discardableResult
    package static func perform(_ writer: Int, _ number: Int, in store: Store) throws -> String {
        try store.write(author: author(of: writer)) { context in
            let before = try texts(in: context)
            var script = RecipeScript(writer, number)
            try script.perform(in: context)
            let changes = changes(from: before, to: try texts(in: context))
            try context.insert(RecipeTurn(writer: writer, number: number, changes: changes))
            return changes
        }
    }

    private static func texts(in context: ReadContext) throws -> [Int: String] {
        var texts: [Int: String] = [:]
        for recipe in try SharedRecipe.query().resolve(in: context) { texts[recipe.id] = recipe.text }
        return texts
    }

    private static func changes(from before: [Int: String], to after: [Int: String]) -> String {
        let words = Set(before.keys).union(after.keys).sorted().compactMap { id -> String? in
            switch (before[id], after[id]) {
            case (nil, _?): "inserted(\(id))"
            case (_?, nil): "deleted(\(id))"
            case (let old, let new): old == new ? nil : "updated(\(id))"
            }
        }
        return words.joined(separator: " ")
    }
}

/// The random numbers of a transaction.
private struct RecipeScript {
    private struct Undone: Error {}

    private var state: UInt64
    /// The beginning of all texts, so that no text equals a stored text.
    private let prefix: String

    init(_ writer: Int, _ number: Int) {
        state = UInt64(truncatingIfNeeded: writer * 1_000_003 + number) &* 0x9E37_79B9_7F4A_7C15
        prefix = "\(writer) \(number) "
    }

    private mutating func random(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }

    mutating func perform(in context: TransactionContext, depth: Int = 0) throws {
        for step in 0...random(5) {
            let id = random(60)
            switch random(8) {
            case 0, 1: try context.delete(SharedRecipe.self, key: id)
            case 2: try SharedRecipe.filter(\.id >= id && \.id < id + 5).delete(in: context)
            case 3:
                let text = "\(prefix)\(depth) \(step) updated"
                try SharedRecipe.filter(\.text > "\(random(4))").limit(6).update(in: context) { $0.text = text }
            case 4 where depth < 2:
                let isUndone = random(2) == 0
                do {
                    try context.nested { nested in
                        try perform(in: nested, depth: depth + 1)
                        if isUndone { throw Undone() }
                    }
                } catch is Undone {}
            default: try context.insert(SharedRecipe(id: id, text: "\(prefix)\(depth) \(step)"))
            }
        }
    }
}

/// Carries out transactions, and prints the number and the changes of each.
struct RecipeProgram {
    let store: Store
    let writer: Int
    /// The number of transactions; 0 for a program that goes on until it is killed.
    let count: Int

    func run() throws {
        // A read does not see the last commit of a process that was killed in it, until another process writes.
        var number = try store.write { context in
            try RecipeTurn.query(writer: writer).order(.descending).first(in: context).map { $0.number + 1 } ?? 0
        }
        let end = count == 0 ? Int.max : number + count
        while number < end {
            TroveStoreWorker.say("\(number) \(try RecipeTurn.perform(writer, number, in: store))")
            number += 1
        }
    }
}

/// Carries out the transactions of which the input has the numbers, and prints the changes of each.
struct RecipeTurns {
    let store: Store
    let writer: Int

    func run() throws {
        while let line = readLine(), let number = Int(line) {
            TroveStoreWorker.say(try RecipeTurn.perform(writer, number, in: store))
        }
    }
}

/// Follows the history from its beginning, and prints each commit, until it has printed some turns.
struct RecipeFollower {
    let store: Store
    /// The number of turns.
    let count: Int

    func run() async throws {
        var turns = 0
        for try await commit in store.history() {
            TroveStoreWorker.say(try commit.recipeLine())
            turns += try commit.changes(of: RecipeTurn.self).count
            if turns >= count { return }
        }
    }
}

extension HistoryCommit {
    /// Returns the token, the author and the changes in words.
    package func recipeLine() throws -> String {
        let changes = try changes(of: SharedRecipe.self).map(\.description)
        let turns = try self.changes(of: RecipeTurn.self).map(\.description)
        return ([token.rawValue, author ?? "-"] + changes + turns).joined(separator: " ")
    }
}
