// Programs that save scores with ranked indexes at the same time or in turns, while another program may build the
// indexes.

import Trove

/// Scores as an older program declares them, without indexes.
@IndexKeyRecord(keyPrefix: 4_000_081, "id")
package struct PlainScore: Hashable {
    package let id: Int
    package var team: String
    package var points: Int

    package init(id: Int, team: String, points: Int) { (self.id, self.team, self.points) = (id, team, points) }

    /// Returns the score with a number.
    package static func numbered(_ id: Int) -> PlainScore {
        PlainScore(id: id, team: "team \(id % 4)", points: id * 7 % 100)
    }
}

@IndexKeyRecord(keyPrefix: 4_000_081, "id")
package struct SharedScore: Hashable {
    #Index<SharedScore>(\.points, ranked: true)
    #Index<SharedScore>(\.team, \.points.desc, ranked: true)
    #Index<SharedScore>(\.points, ranked: true, where: { $0.team == "team 1" })

    package let id: Int
    package var team: String
    package var points: Int

    package init(id: Int, team: String, points: Int) { (self.id, self.team, self.points) = (id, team, points) }

    /// Compares answers by the counts of entries with all records. Returns the first difference; nil without any.
    ///
    /// - Parameter number: Selects the answers.
    package static func difference(in context: ReadContext, _ number: Int) throws -> String? {
        let scores = try SharedScore.query().resolve(in: context)
        let team = "team \(number % 4)"
        func sorted(_ accepts: (SharedScore) -> Bool = { _ in true }, descending: Bool = false) -> [SharedScore] {
            let sign = descending ? -1 : 1
            return scores.filter(accepts).sorted { ($0.points * sign, $0.id) < ($1.points * sign, $1.id) }
        }
        let lists: [(query: Query<SharedScore>, scores: [SharedScore])] = [
            (SharedScore.query().sorted(by: \.points), sorted()),
            (SharedScore.query().sorted(by: \.points.desc), sorted(descending: true)),
            (SharedScore.filter(\.points > number).sorted(by: \.points), sorted { $0.points > number }),
            (
                SharedScore.filter(\.team == team).sorted(by: \.points.desc),
                sorted({ $0.team == team }, descending: true)
            ),
            (
                SharedScore.filter(\.team == "team 1" && \.points <= number).sorted(by: \.points),
                sorted { $0.team == "team 1" && $0.points <= number }
            ),
        ]
        for (query, scores) in lists {
            let count = try query.count(in: context)
            if count != scores.count { return "\(query): \(count), not \(scores.count)" }
            let offset = scores.count * (number % 10) / 10
            let page = try query.offset(offset).limit(3).resolve(in: context)
            let expected = Array(scores.dropFirst(offset).prefix(3))
            if page != expected { return "\(query), offset \(offset): \(page), not \(expected)" }
            guard let first = expected.first else { continue }
            let rank = try query.rank(of: first).resolve(in: context)
            if rank != offset + 1 { return "\(query), \(first): \(rank ?? 0), not \(offset + 1)" }
        }
        let points = sorted().map(\.points)
        let median = try SharedScore.query().quantile(0.5, of: \.points).resolve(in: context)
        let expected = points.isEmpty ? nil : points[(points.count + 1) / 2 - 1]
        return median == expected ? nil : "the median: \(median ?? -1), not \(expected ?? -1)"
    }
}

/// A transaction of scores that depends on the store and on its number alone.
package struct ScoreTurn {
    private struct Undone: Error {}

    private var state: UInt64

    package init(_ number: Int) { state = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 }

    private mutating func random(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }

    private mutating func score() -> SharedScore {
        SharedScore(id: random(900), team: "team \(random(4))", points: random(100))
    }

    package mutating func perform(in context: TransactionContext) throws {
        for _ in 0...random(4) {
            let score = score()
            switch random(8) {
            case 0: try context.delete(SharedScore.self, key: score.id)
            case 1: try SharedScore.filter(\.points == score.points).delete(in: context)
            case 2:
                // As if nothing were written.
                do {
                    try context.nested { nested in
                        try nested.insert(score)
                        _ = try SharedScore.filter(\.points >= 0).count(in: nested)
                        throw Undone()
                    }
                } catch is Undone {}
            default:
                let others = (0..<random(20)).map { _ in self.score() }
                try context.insert(contentsOf: [score] + others, onConflict: .replace)
            }
        }
    }
}

private struct WrongRanks: Error {
    var difference: String

    /// Throws if an answer by the counts is not that of the records, which are those of one moment, whatever the other
    /// programs do.
    static func check(_ context: ReadContext, _ number: Int) throws {
        if let difference = try SharedScore.difference(in: context, number) {
            throw WrongRanks(difference: difference)
        }
    }
}

/// Carries out transactions, compares the counts with the records, and prints the number of each transaction.
struct ScoreProgram {
    let store: Store
    let writer: Int
    /// The number of transactions; 0 for a program that goes on until it is killed.
    let count: Int

    func run() throws {
        var number = 0
        while count == 0 || number < count {
            var turn = ScoreTurn(writer * 1_000_000 + number)
            try store.write { context in
                try turn.perform(in: context)
                if number % 40 == 0 { try WrongRanks.check(context, number % 100) }
            }
            if number % 20 == 0 { try store.read { try WrongRanks.check($0, number % 100) } }
            TroveStoreWorker.say("\(number)")
            number += 1
        }
    }
}

/// Carries out the transactions of which the input has the numbers, compares the counts with the records before each
/// and after it, and prints its number.
struct ScoreTurns {
    let store: Store

    func run() throws {
        while let line = readLine(), let number = Int(line) {
            try store.read { try WrongRanks.check($0, number % 100) }
            var turn = ScoreTurn(number)
            try store.write { try turn.perform(in: $0) }
            try store.read { try WrongRanks.check($0, number % 100) }
            TroveStoreWorker.say("\(number)")
        }
    }
}
