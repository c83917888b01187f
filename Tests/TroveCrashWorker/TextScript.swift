// The steps of a program that saves, changes, searches and deletes texts. Each step is a transaction, and depends on
// the store and on its random numbers alone.

import Trove
import TroveTestSupport

@IndexKeyRecord("id")
package struct Ode: Hashable {
    #FullTextIndex<Ode>(\.title, \.lines, weights: [2, 1])
    #FullTextIndex<Ode>(\.lines, keepsOrder: false, where: { $0.year > 5 })
    #FullTextIndex<Ode>(
        "First words",
        gathering: { keys, context in
            var texts: [Int: String] = [:]
            for ode in try context.get(Ode.self, keys: keys) { texts[ode.id] = ode.lines.first }
            return texts
        })
    #Index<Ode>(\.year)

    package let id: Int
    package var title: String?
    package var lines: [String]
    package var year: Int
}

/// The steps for a seed.
package struct TextScript: Sendable {
    package static let stepCount = 24
    package static let types: [any IndexKeyRecord.Type] = [Ode.self, Voyage.self]

    private let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    /// Carries out a step in its transaction.
    package func perform(_ step: Int, in context: TransactionContext) throws {
        var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(step))
        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        func text(_ count: Int) -> String {
            (0..<number(count + 1)).map { _ in number(3) == 0 ? "word" : "w\(number(40) * number(40))" }
                .joined(separator: " ")
        }
        func ode(_ id: Int) -> Ode {
            Ode(
                id: id, title: number(3) == 0 ? nil : "ode \(text(3))", lines: (0..<number(4)).map { _ in text(12) },
                year: number(10))
        }
        switch step % 8 {
        case 0, 1, 4:
            try context.insert(contentsOf: (0..<120).map { _ in ode(number(400)) })
        case 2:
            try Ode.filter(.matches("word w\(number(40))")).update(in: context) { $0.title = "changed \(step)" }
            for id in 0..<30 { try context.delete(Ode.self, key: id * 7) }
        case 3:
            struct Undone: Error {}
            do {
                try context.nested { context in
                    try context.insert(contentsOf: (0..<60).map { _ in ode(number(400)) })
                    // The search flushes what is undone next.
                    _ = try Ode.matching("word").limit(5).hits(in: context)
                    try Ode.matching("ode").delete(in: context)
                    throw Undone()
                }
            } catch is Undone {}
            try context.insert(ode(number(400)))
        case 5:
            try Ode.matching("changed OR w0").delete(in: context)
            try context.insert(Ode(id: 500 + step, title: text(400), lines: [text(2000)], year: 9))
        case 6:
            try context.nested { try $0.insert(contentsOf: (0..<80).map { _ in ode(number(400)) }) }
            try Ode.filter(\.year == number(10)).update(in: context) { $0.lines.reverse() }
        default:
            if step % 16 == 7 { try Ode.query().delete(in: context) }
            try context.insert(contentsOf: (0..<40).map { ode(1000 + $0) })
        }
        try context.insert(Voyage(id: 0, step: step))
    }

    /// Returns a digest of all records.
    package static func digest(in context: ReadContext) throws -> UInt64 { try GraphScript.digest(in: context) }
}

/// A program that goes on with the steps: `text PATH SEED`. It prints for the test
///
///     begun STEP
///     ended STEP
///     done
struct TextCommand {
    private let path: String
    private let script: TextScript

    init(_ arguments: [String]) throws {
        guard arguments.count == 2, let seed = UInt64(arguments[1]) else { throw WorkerError(arguments: arguments) }
        path = arguments[0]
        script = TextScript(seed: seed)
    }

    func run() throws {
        let store = try Store(path: path, records: TextScript.types)
        for step in try store.read(Voyage.steps)..<TextScript.stepCount {
            say("begun \(step)")
            try store.write { try script.perform(step, in: $0) }
            say("ended \(step)")
        }
        say("done")
    }
}
