// The steps of a program that saves, moves and deletes graphs. Each step is a transaction, and depends on the store and
// on its random numbers alone.

import Trove
import TroveTestSupport

/// The steps for a seed.
package struct GraphScript: Sendable {
    package static let stepCount = 30
    package static let types: [any IndexKeyRecord.Type] = [Harbor.self, Voyage.self]

    private let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    /// Carries out a step in its transaction.
    package func perform(_ step: Int, in context: TransactionContext) throws {
        var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(step))
        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        func numbers(_ count: Int, below limit: Int) -> [Int] { (0..<count).map { _ in number(limit) } }
        func ship(_ id: Int) -> Ship {
            Ship(
                id: id, name: "ship \(number(9))",
                crew: .relation(numbers(3, below: 20).map { Sailor(id: $0, name: "\($0)") }),
                cargo: .relation(Cargo(id: id, weight: number(1000))), captain: .id(number(20)),
                guests: .ids(numbers(2, below: 20)))
        }
        switch step % 10 {
        case 0, 1, 4:
            let ships = numbers(30, below: 120).map(ship)
            try Harbor(
                id: number(5), name: "\(step)", ships: .relation(ships),
                keeper: .relation(Sailor(id: number(20), name: "keeper", friends: .ids(numbers(5, below: 20))))
            ).save(to: context)
        case 2:
            // All ships of a harbor go to the end of another's list, with a new position for each.
            try Harbor(id: number(5), name: "\(step)", ships: .appending(ids: numbers(40, below: 120))).save(
                to: context)
            try Harbor(id: number(5), name: "\(step)", ships: .ids(numbers(40, below: 120))).save(to: context)
        case 3:
            // A cascade, which goes on if it was refused nothing.
            try Harbor.delete(id: number(5), from: context)
            _ = try attempt { try Sailor.delete(id: number(20), from: context) }
        case 5:
            try Ship.filter(\.name == "ship \(number(9))").delete(in: context)
        case 6:
            for id in numbers(6, below: 20) {
                try Sailor(id: id, name: "\(step)", friends: .ids(numbers(6, below: 20)), partner: .id(number(20)))
                    .save(to: context)
            }
        case 7:
            struct Undone: Error {}
            do {
                try context.nested { context in
                    try Harbor.query().delete(in: context)
                    try Harbor(id: 9, name: "undone", ships: .ids(Array(0..<50))).save(to: context)
                    throw Undone()
                }
            } catch is Undone {}
            try Sailor(id: number(20), name: "").detach(\.$ships, in: context)
        case 8:
            try Ship.query().limit(20).update(in: context) { ship in
                ship.name += "'"
                ship.$captain = .id(number(20))
                ship.$guests = .appending(ids: numbers(3, below: 20))
            }
        default:
            _ = try attempt { try Sailor.filter(\.id < 12).delete(in: context) }
            try Harbor(id: number(5), name: "").delete(\.$ships, from: context)
        }
        try context.insert(Voyage(id: 0, step: step))
    }

    /// Returns whether a delete was not denied.
    private func attempt(_ body: () throws -> some Any) throws -> Bool {
        do {
            _ = try body()
            return true
        } catch StoreError.entity(.deleteDenied) {
            return false
        }
    }

    /// Returns a digest of all records and links.
    package static func digest(in context: ReadContext) throws -> UInt64 {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        try context.forEachDumpLine(of: context.storedTypes()) { line in
            for byte in line.utf8 { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        }
        return digest
    }
}

/// A program that goes on with the steps: `graph PATH SEED`. It prints for the test
///
///     begun STEP
///     ended STEP
///     done
struct GraphCommand {
    private let path: String
    private let script: GraphScript

    init(_ arguments: [String]) throws {
        guard arguments.count == 2, let seed = UInt64(arguments[1]) else { throw WorkerError(arguments: arguments) }
        path = arguments[0]
        script = GraphScript(seed: seed)
    }

    func run() throws {
        let store = try Store(path: path, records: GraphScript.types)
        for step in try store.read(Voyage.steps)..<GraphScript.stepCount {
            say("begun \(step)")
            try store.write { try script.perform(step, in: $0) }
            say("ended \(step)")
        }
        say("done")
    }
}
