// The steps of a program that saves, changes and deletes records with ranked indexes, and reads positions. Each step is
// a transaction, and depends on the store and on its random numbers alone.

import Trove
import TroveTestSupport

@IndexKeyRecord("id")
package struct Climber: Hashable {
    #Index<Climber>(\.height, ranked: true)
    #Index<Climber>(\.team, \.height.desc, ranked: true)
    #Index<Climber>(\.height, ranked: true, where: { $0.isRoped })
    #Totals<Climber>(by: \.team, of: \.height)

    package let id: Int
    package var team: String
    package var height: Int
    package var isRoped: Bool
}

/// The steps for a seed.
package struct RankScript: Sendable {
    package static let stepCount = 24
    package static let types: [any IndexKeyRecord.Type] = [Climber.self, Voyage.self]

    private let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    /// Carries out a step in its transaction.
    package func perform(_ step: Int, in context: TransactionContext) throws {
        var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(step))
        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        func climber(_ id: Int) -> Climber {
            // Some teams have a name that is longer than a key.
            let team = number(20) == 0 ? String(repeating: "x", count: 600) : ["red", "blue", ""][number(3)]
            return Climber(id: id, team: team, height: number(300), isRoped: number(2) == 0)
        }
        func climbers(_ count: Int) -> [Climber] { (0..<count).map { _ in climber(number(1_500)) } }
        switch step % 8 {
        case 0, 1, 4:
            try context.insert(contentsOf: climbers(250))
        case 2:
            try Climber.filter(\.height > number(300)).update(in: context) { $0.height += 5 }
            for id in 0..<60 { try context.delete(Climber.self, key: id * 7) }
        case 3:
            struct Undone: Error {}
            do {
                try context.nested { context in
                    try context.insert(contentsOf: climbers(200))
                    // The read counts what is undone next.
                    _ = try Climber.filter(\.height > 100).count(in: context)
                    try Climber.filter(\.team == "red").delete(in: context)
                    throw Undone()
                }
            } catch is Undone {}
            try context.insert(climber(number(1_500)))
        case 5:
            let height = number(250)
            try Climber.filter(\.height >= height && \.height < height + 30).delete(in: context)
            try context.insert(climber(3_000 + step))
        case 6:
            try context.nested { try $0.insert(contentsOf: climbers(150)) }
            _ = try Climber.query().sorted(by: \.height).offset(300).limit(1).keys(in: context)
            try Climber.filter(\.team == "blue").update(in: context) { $0.isRoped.toggle() }
        default:
            if step % 16 == 7 { try Climber.query().delete(in: context) }
            try context.insert(contentsOf: (0..<400).map { climber(1_000 + $0) })
        }
        try context.insert(Voyage(id: 0, step: step))
    }

    /// Returns a digest of all records.
    package static func digest(in context: ReadContext) throws -> UInt64 { try GraphScript.digest(in: context) }
}

/// A program that goes on with the steps: `rank PATH SEED`. It prints for the test
///
///     begun STEP
///     ended STEP
///     done
struct RankCommand {
    private let path: String
    private let script: RankScript

    init(_ arguments: [String]) throws {
        guard arguments.count == 2, let seed = UInt64(arguments[1]) else { throw WorkerError(arguments: arguments) }
        path = arguments[0]
        script = RankScript(seed: seed)
    }

    func run() throws {
        let store = try Store(path: path, records: RankScript.types)
        for step in try store.read(Voyage.steps)..<RankScript.stepCount {
            say("begun \(step)")
            try store.write { try script.perform(step, in: $0) }
            say("ended \(step)")
        }
        say("done")
    }
}
