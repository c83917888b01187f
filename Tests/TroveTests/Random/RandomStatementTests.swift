// Random statements over records with unique constraints of all rules. A statement saves its records one after another:
// the result is that of single inserts, in a simple model and in the store. Only `.throw` waits for the end.

import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct NamedSeat: Hashable {
    #Index<NamedSeat>(\.name)
    #Index<NamedSeat>(\.turn.desc, \.slot)
    #Unique<NamedSeat>(\.code, collisions: .throw)
    #Unique<NamedSeat>(\.slot, collisions: .upsert)
    #Unique<NamedSeat>(\.badge, collisions: .ignore)
    #Unique<NamedSeat>(\.name, \.turn, collisions: .upsert, where: { $0.turn > 0 })
    #Unique<NamedSeat>(
        \.crown,
        collisions: .custom { context, new, existing in
            if new.turn == 3 { throw CancellationError() }
            if new.turn == 2 {
                try context.delete(existing)
            } else {
                var former = existing
                former.crown = nil
                try context.insert(former)
            }
        })

    let id: Int
    var name: String?
    var turn: Int = 0
    var code: Int?
    var slot: Int?
    var badge: Int?
    var crown: Int?
}

/// The records of a store, as a dictionary, and the effect of statements on it.
private struct Seats: Equatable {
    var seats: [Int: NamedSeat] = [:]
    /// The records replaced by the current statement, as they were.
    var replaced: [Int: NamedSeat] = [:]

    static let rules: [(rule: String, value: @Sendable (NamedSeat) -> AnyHashable?)] = [
        ("throw", { $0.code }), ("upsert", { $0.slot }), ("ignore", { $0.badge }),
        ("upsert", { seat in seat.turn > 0 ? seat.name.map { [$0, "\(seat.turn)"] } : nil }), ("custom", { $0.crown }),
    ]

    func holder(of rule: Int, in seat: NamedSeat) -> NamedSeat? {
        guard let value = Seats.rules[rule].value(seat) else { return nil }
        return seats.values.first { $0.id != seat.id && Seats.rules[rule].value($0) == value }
    }

    /// Saves a record. A collision whose rule is to throw is left in place.
    mutating func insert(_ new: NamedSeat) throws {
        let before = self
        let old = seats[new.id]
        let changed = Seats.rules.indices.filter { rule in
            old.map { Seats.rules[rule].value($0) != Seats.rules[rule].value(new) } ?? true
        }
        for rule in changed where Seats.rules[rule].rule == "upsert" {
            guard let existing = holder(of: rule, in: new) else { continue }
            replaced[existing.id] = seats.removeValue(forKey: existing.id)
        }
        for rule in changed {
            guard let existing = holder(of: rule, in: new) else { continue }
            switch Seats.rules[rule].rule {
            case "ignore":
                self = before
                return
            case "custom":
                if new.turn == 3 { throw CancellationError() }
                if new.turn == 2 { seats[existing.id] = nil } else { seats[existing.id]?.crown = nil }
            default: break
            }
        }
        seats[new.id] = new
    }

    /// Runs a statement: all or nothing. Returns false if it throws.
    mutating func statement(_ body: (inout Seats) throws -> Void) -> Bool {
        var after = Seats(seats: seats)
        do { try body(&after) } catch { return false }
        let codes = after.seats.values.compactMap(\.code)
        guard Set(codes).count == codes.count else { return false }
        seats = after.seats
        return true
    }
}

/// A change of an update: each record takes the values of its successor, or the values of a given record.
private struct SeatChange {
    var rotates: [Bool]
    var values: NamedSeat
    var isCalled: [Bool]

    func apply(to seat: inout NamedSeat) {
        func next(_ value: Int?, _ index: Int, _ new: Int?) -> Int? {
            guard isCalled[index] else { return value }
            return rotates[index] ? value.map { ($0 + 1) % 4 } : new
        }
        seat.code = next(seat.code, 0, values.code)
        seat.slot = next(seat.slot, 1, values.slot)
        seat.badge = next(seat.badge, 2, values.badge)
        seat.crown = next(seat.crown, 3, values.crown)
        if isCalled[4] { seat.turn = values.turn }
    }
}

@Suite("Random statements of several records") struct RandomStatementTests {
    private let directory: TemporaryDirectory
    private let store: Store
    private var random: SeededGenerator
    private let seed: UInt64
    private var follower = HistoryKeysFollower()

    init() throws {
        directory = try TemporaryDirectory()
        (random, seed) = SeededGenerator.fromEnvironment()
        store = try Store(
            path: directory.path("seats.trove"), records: [NamedSeat.self],
            options: StoreOptions(durability: .noSync, history: HistoryKeysFollower.policy(seed)))
    }

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    /// Returns a random record with values of some constraints: a statement often has a single kind of collision.
    private mutating func seat(_ kinds: Int) -> NamedSeat {
        func value(_ index: Int, _ count: Int) -> Int? {
            let value = number(count)
            return kinds & (1 << index) == 0 || value == 0 ? nil : value
        }
        let long = number(8) == 0 ? String(repeating: "n", count: 600) : ""
        return NamedSeat(
            id: number(5), name: value(3, 3).map { long + "\($0)" }, turn: number(20) == 0 ? 3 : number(3),
            code: value(0, 6), slot: value(1, 4), badge: value(2, 5), crown: value(4, 4))
    }

    private func stored(_ source: some RecordReadable) throws -> [Int: NamedSeat] {
        Dictionary(uniqueKeysWithValues: try Query<NamedSeat>().resolve(in: source).map { ($0.id, $0) })
    }

    /// Runs a statement, and returns whether it succeeded.
    private func runs(_ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch StoreError.record(.notUnique) {
            return false
        } catch is CancellationError {
            return false
        }
    }

    /// Returns the records after single inserts, and undoes them; nil if an insert throws.
    private func afterSingleInserts(_ seats: [NamedSeat], _ context: TransactionContext) throws -> [Int: NamedSeat]? {
        struct Undone: Error {}
        var after: [Int: NamedSeat]?
        do {
            _ = try runs {
                try context.nested { context in
                    for seat in seats { try context.insert(seat) }
                    after = try stored(context)
                    throw Undone()
                }
            }
        } catch is Undone {}
        return after
    }

    @Test mutating func insertsOfSeveral_saveOneAfterAnother() throws {
        var model = Seats()
        for _ in 0..<20 {
            try store.write { context in
                for _ in 0..<100 {
                    let kinds = number(3) == 0 ? 31 : 1 << number(5) | 1 << number(5)
                    let seats = (0..<(1 + number(5))).map { _ in seat(kinds) }
                    let singly = try afterSingleInserts(seats, context)
                    let succeeds = model.statement { model in for seat in seats { try model.insert(seat) } }
                    let succeeded = try runs { try context.insert(contentsOf: seats) }
                    let after = try stored(context)
                    try #require(succeeded == succeeds, "TROVE_TEST_SEED=\(seed) \(seats)")
                    try #require(after == model.seats, "TROVE_TEST_SEED=\(seed) \(seats)")
                    if let singly { try #require(singly == after, "TROVE_TEST_SEED=\(seed) \(seats)") }
                }
            }
            try #require(try store.check(NamedSeat.self) == [], "TROVE_TEST_SEED=\(seed)")
            try follower.follow(store, "TROVE_TEST_SEED=\(seed)")
        }
    }

    @Test mutating func updates_saveOneAfterAnother() throws {
        var model = Seats()
        for _ in 0..<10 {
            try store.write { context in
                for _ in 0..<100 {
                    let kinds = number(3) == 0 ? 31 : 1 << number(5) | 1 << number(5)
                    if number(3) > 0 {
                        let new = seat(kinds)
                        let succeeds = model.statement { try $0.insert(new) }
                        let succeeded = try runs { try context.insert(contentsOf: [new]) }
                        try #require(succeeded == succeeds, "TROVE_TEST_SEED=\(seed)")
                    }
                    let flags = (0..<10).map { _ in number(2) == 0 }
                    let change = SeatChange(
                        rotates: Array(flags[0..<5]), values: seat(kinds), isCalled: Array(flags[5..<10]))
                    try update(change, context, &model)
                }
            }
            try #require(try store.check(NamedSeat.self) == [], "TROVE_TEST_SEED=\(seed)")
            try follower.follow(store, "TROVE_TEST_SEED=\(seed)")
        }
    }

    /// Updates random records, in the store and in the model.
    private mutating func update(_ change: SeatChange, _ context: TransactionContext, _ model: inout Seats) throws {
        let name = number(4) == 0 ? nil : Optional("\(number(3))")
        let (first, limit) = (number(5), number(3) == 0 ? 1 + number(3) : 5)
        let before = model.seats
        let succeeds = model.statement { model in
            let matches = before.values.filter { $0.id >= first && $0.name != name }.sorted { $0.id < $1.id }
            for match in matches.prefix(limit) {
                guard var seat = model.seats[match.id] ?? model.replaced[match.id] else { continue }
                change.apply(to: &seat)
                try model.insert(seat)
            }
        }
        let succeeded = try runs {
            try NamedSeat.filter(\.id >= first).filter(\.name != name).sorted(by: \.id).limit(limit)
                .update(in: context) { change.apply(to: &$0) }
        }
        let comment = "TROVE_TEST_SEED=\(seed) \(before.values) \(change)"
        try #require(succeeded == succeeds, "\(comment)")
        try #require(try stored(context) == model.seats, "\(comment)")
    }
}
