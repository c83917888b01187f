// The steps of a program whose store has a history. Each step is a transaction, and depends on the store and on its
// random numbers alone.

import Trove
import TroveTestSupport

/// A type of which the history keeps a part of each deleted record.
@IndexKeyRecord("folder", "number")
package struct Letter: Hashable {
    #Index<Letter>(\.text)

    package let folder: String
    package let number: Int
    package var text: String
}

/// A type of which the history keeps each deleted record. Without indexes, its records are written into their pages.
@IndexKeyRecord("id")
package struct Postcard: Hashable {
    package let id: Int
    package var picture: String
}

/// The steps for a seed.
package struct HistoryScript: Sendable {
    package static let stepCount = 24
    package static let types: [any IndexKeyRecord.Type] = [Letter.self, Postcard.self, Voyage.self]
    package static let rules = HistoryPolicy.keep().keepingDeleted(Letter.self, \.text).keepingDeleted(Postcard.self)

    private let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    /// Returns the author of a step.
    package static func author(of step: Int) -> String? { [nil, "Ann", "", "Bob"][step % 4] }

    /// Carries out a step in its transaction.
    package func perform(_ step: Int, in context: TransactionContext) throws {
        var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(step))
        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        func folder() -> String { ["in", "out", String(repeating: "x", count: 300)][number(3)] }
        func letters(_ count: Int) -> [Letter] {
            (0..<count).map { _ in
                Letter(folder: folder(), number: number(400), text: String(repeating: "t", count: number(30)))
            }
        }
        func postcard(_ id: Int) -> Postcard {
            Postcard(id: id, picture: String(repeating: "p", count: number(12_000)))
        }
        switch step % 8 {
        case 0, 4:
            try context.insert(contentsOf: letters(200))
            try context.insert(contentsOf: (0..<10).map { _ in postcard(number(40)) })
        case 1:
            try Letter.filter(\.text > "tttttttttttttttt").update(in: context) { $0.text += "!" }
            for id in 0..<20 { try context.delete(Postcard.self, key: id * 2) }
        case 2:
            try Letter.query(folder: .equals(folder())).delete(in: context)
            try context.insert(contentsOf: letters(20))
        case 3:
            struct Undone: Error {}
            do {
                try context.nested { context in
                    try context.insert(contentsOf: letters(100))
                    try Postcard.query().delete(in: context)
                    throw Undone()
                }
            } catch is Undone {}
            try context.nested { try $0.insert(contentsOf: letters(10)) }
        case 5:
            try performLarge(in: context, postcard)
        case 6:
            for letter in letters(60) {
                try context.insert(letter)
                try context.delete(letter)
            }
            try context.insert(contentsOf: (0..<30).map { postcard(50 + $0) })
        default:
            try Postcard.query().delete(in: context)
            if step % 16 == 7 { try Letter.query().delete(in: context) }
        }
        try context.insert(Voyage(id: 0, step: step))
    }

    /// Changes so much that the transaction writes rows of its history before its end. Rows of a nested transaction are
    /// undone with it.
    private func performLarge(in context: TransactionContext, _ postcard: (Int) -> Postcard) throws {
        struct Undone: Error {}
        func fill(_ context: TransactionContext, _ first: Int) throws {
            for round in 0..<160 {
                try context.insert(Postcard(id: 99, picture: String(repeating: "q", count: 30_000)))
                try context.delete(Postcard.self, key: 99)
                if round % 40 == 0 { try context.insert(postcard(first + round / 8)) }
            }
        }
        try fill(context, 0)
        do {
            try context.nested { nested in
                try fill(nested, 10)
                throw Undone()
            }
        } catch is Undone {}
        try context.delete(Postcard.self, key: 10)
        try Letter.query(folder: .equals("in")).update(in: context) { $0.text = "large" }
    }
}

/// The records of a store with a history.
package struct Correspondence: Hashable {
    package var letters: [Letter]
    package var postcards: [Postcard]
    package var steps: Int

    package init(in context: ReadContext) throws {
        letters = try Letter.query().resolve(in: context)
        postcards = try Postcard.query().resolve(in: context)
        steps = try Voyage.steps(in: context)
    }
}

/// A program that goes on with the steps: `history PATH SEED`. It prints for the test
///
///     begun STEP
///     ended STEP TOKEN     the position after the step
///     done
struct HistoryCommand {
    private let path: String
    private let script: HistoryScript

    init(_ arguments: [String]) throws {
        guard arguments.count == 2, let seed = UInt64(arguments[1]) else { throw WorkerError(arguments: arguments) }
        path = arguments[0]
        script = HistoryScript(seed: seed)
    }

    func run() throws {
        let options = StoreOptions(history: HistoryScript.rules)
        let store = try Store(path: path, records: HistoryScript.types, options: options)
        for step in try store.read(Voyage.steps)..<HistoryScript.stepCount {
            say("begun \(step)")
            try store.write(author: HistoryScript.author(of: step)) { try script.perform(step, in: $0) }
            say("ended \(step) \(try store.read { try $0.historyToken })")
        }
        say("done")
    }
}
