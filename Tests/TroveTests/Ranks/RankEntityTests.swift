// Entities with ranked indexes: their hooks change what is counted, and delete rules take records along.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

private struct Undone: Error {}

@EntityModel
private struct RunningClub {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.club) var runners: [Runner]?
}

/// A runner, whose hooks do what the action says.
@EntityModel
private struct Runner {
    #Index<Runner>(\.seconds, ranked: true)
    #Index<Runner>(\.country, \.seconds.desc, ranked: true)

    let id: Int
    var country: String
    var seconds: Int
    var action: Action
    @Relationship(inverse: \.runners) var club: RunningClub?
    @Relationship(deleteRule: .deny, inverse: \.runner) var medals: [Medal]?

    enum Action: String, Codable, CaseIterable {
        case none
        /// Each save adds 100 seconds.
        case penalty
        /// Each save saves another runner, who is a second faster.
        case pace
        case refusesSave
        case refusesDelete
        /// After the delete, another runner has the result.
        case heir
    }

    /// The runner that the hooks save.
    func other(_ difference: Int) -> Runner {
        Runner(id: 10_000 + id, country: country, seconds: seconds + difference, action: .none)
    }
}

extension Runner {
    mutating func willSave(to context: TransactionContext) throws {
        if action == .penalty { seconds += 100 }
        if action == .pace { try other(-1).save(to: context) }
    }

    func didSave(to context: TransactionContext) throws {
        if action == .refusesSave { throw Undone() }
    }

    func willDelete(from context: TransactionContext) throws {
        // The counts are read before they are undone.
        guard action == .refusesDelete else { return }
        _ = try Runner.filter(\.seconds > 50).count(in: context)
        throw Undone()
    }

    func didDelete(from context: TransactionContext) throws {
        if action == .heir { try other(0).save(to: context) }
    }
}

@EntityModel
private struct Medal {
    let id: Int
    @Relationship(inverse: \.medals) var runner: Runner?
}

/// The runners of a test in memory, with the clubs and medals that decide about deletes.
private struct RaceModel {
    var runners: [Int: Runner] = [:]
    var clubs: [Int: Int] = [:]
    var medals: Set<Int> = []

    mutating func save(_ runner: Runner, to club: Int? = nil) throws {
        var saved = runner
        if runner.action == .penalty { saved.seconds += 100 }
        if runner.action == .pace { runners[10_000 + runner.id] = runner.other(-1) }
        if runner.action == .refusesSave { throw Undone() }
        runners[runner.id] = saved
        if let club { clubs[runner.id] = club }
    }

    mutating func delete(_ id: Int) throws {
        guard let runner = runners[id] else { return }
        if runner.action == .refusesDelete || medals.contains(id) { throw Undone() }
        (runners[id], clubs[id]) = (nil, nil)
        if runner.action == .heir { runners[10_000 + id] = runner.other(0) }
    }

    mutating func delete(club: Int) throws {
        for id in clubs.filter({ $0.value == club }).keys { try delete(id) }
    }

    private func keys(
        _ accepts: (Runner) -> Bool = { _ in true }, descending: Bool = false
    ) -> [Int] {
        let sign = descending ? -1 : 1
        return runners.values.filter(accepts).sorted { ($0.seconds * sign, $0.id) < ($1.seconds * sign, $1.id) }
            .map(\.id)
    }

    func expectSame(
        _ source: some RecordReadable, using random: inout SeededGenerator, _ note: Comment
    ) throws {
        let all = Runner.query()
        let stored = try all.sorted(by: \.id).resolve(in: source)
        #expect(stored.map(\.id) == runners.keys.sorted(), note)
        #expect(stored.map(\.seconds) == runners.sorted { $0.key < $1.key }.map(\.value.seconds), note)
        let seconds = Int.random(in: 0..<400, using: &random)
        let country = ["no", "it", "", "jp"].randomElement(using: &random) ?? ""
        try all.sorted(by: \.seconds).expectPositions(keys(), in: source, using: &random, note)
        try all.sorted(by: \.seconds.desc).expectPositions(keys(descending: true), in: source, using: &random, note)
        try Runner.filter(\.seconds >= seconds).sorted(by: \.seconds)
            .expectPositions(keys { $0.seconds >= seconds }, in: source, using: &random, note)
        try Runner.filter(\.country == country).sorted(by: \.seconds.desc)
            .expectPositions(keys({ $0.country == country }, descending: true), in: source, using: &random, note)
        for share in [0, 0.5, 0.9, 1] {
            #expect(
                try all.quantile(share, of: \.seconds).resolve(in: source)
                    == runners.values.map(\.seconds).quantile(share), note)
        }
    }
}

@Suite("Ranked indexes of entities") struct RankEntityTests {
    private let store: Store
    private let file: MigratedFile

    init() throws {
        file = try MigratedFile()
        store = try file.open(RunningClub.self, Runner.self, Medal.self)
    }

    private func runner(_ id: Int, using random: inout SeededGenerator) -> Runner {
        let actions: [Runner.Action] = [.none, .none, .none, .penalty, .pace, .heir]
        return Runner(
            id: id, country: ["no", "it", ""].randomElement(using: &random) ?? "",
            seconds: Int.random(in: 0..<300, using: &random), action: actions.randomElement(using: &random) ?? .none)
    }

    /// Carries out a statement in the store and in memory. It is undone in both, or in neither.
    private func attempt(
        _ model: inout RaceModel, _ note: Comment, _ change: (inout RaceModel) throws -> Void,
        _ statement: () throws -> Void
    ) throws {
        var changed = model
        var isUndone = false
        do { try change(&changed) } catch is Undone { isUndone = true }
        if !isUndone { model = changed }
        do {
            try statement()
            #expect(!isUndone, "a hook or a rule refuses the statement, \(note)")
        } catch is Undone {
            #expect(isUndone, note)
        } catch StoreError.entity(.deleteDenied) {
            #expect(isUndone, note)
        }
    }

    private func change(
        _ context: TransactionContext, _ model: inout RaceModel, _ random: inout SeededGenerator, _ note: Comment
    ) throws {
        let id = Int.random(in: 0..<900, using: &random)
        let club = Int.random(in: 0..<12, using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1:
            // A graph. One runner can undo all of it.
            var runners = (id..<id + Int.random(in: 1..<40, using: &random)).map { runner($0, using: &random) }
            if Int.random(in: 0..<4, using: &random) == 0 { runners[runners.count / 2].action = .refusesSave }
            try attempt(&model, note) { model in
                for runner in runners { try model.save(runner, to: club) }
            } _: {
                try RunningClub(id: club, runners: .appending(relation: runners)).save(to: context)
            }
        case 2:
            var runner = runner(id, using: &random)
            runner.action = Runner.Action.allCases.randomElement(using: &random) ?? .none
            try attempt(&model, note) {
                try $0.save(runner)
            } _: {
                try runner.save(to: context)
            }
        case 3:
            try attempt(&model, note) {
                try $0.delete(club: club)
            } _: {
                try RunningClub.delete(id: club, from: context)
            }
        case 4:
            try attempt(&model, note) {
                try $0.delete(id)
            } _: {
                try Runner.delete(id: id, from: context)
            }
        case 5:
            let end = id + 60
            try attempt(&model, note) { model in
                for id in id..<end { try model.delete(id) }
            } _: {
                try Runner.filter(\.id >= id && \.id < end).delete(in: context)
            }
        case 6:
            try attempt(&model, note) { model in
                for var runner in model.runners.values where runner.country == "it" && runner.id < 10_000 {
                    runner.seconds += 7
                    try model.save(runner)
                }
            } _: {
                try Runner.filter(\.country == "it" && \.id < 10_000).update(in: context) { $0.seconds += 7 }
            }
        case 7 where model.runners[id] != nil:
            try Medal(id: id, runner: .id(id)).save(to: context)
            model.medals.insert(id)
        case 7:
            guard let id = model.medals.randomElement(using: &random) else { return }
            try Medal.delete(id: id, from: context)
            model.medals.remove(id)
        default:
            let before = model
            do {
                try context.nested { nested in
                    for _ in 0..<3 { try change(nested, &model, &random, note) }
                    try model.expectSame(nested, using: &random, "in a nested transaction, \(note)")
                    throw Undone()
                }
            } catch is Undone { model = before }
        }
    }

    @Test func savesAndDeletesWithHooks_areCounted() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        var model = RaceModel()
        for club in 0..<12 {
            let runners = (club * 60..<club * 60 + 60).map { runner($0, using: &random) }
            for runner in runners { try model.save(runner, to: club) }
            try RunningClub(id: club, runners: .relation(runners)).save(to: store)
        }
        try Runner.query().sorted(by: \.seconds).expectCounted(in: store, "TROVE_TEST_SEED=\(seed)")
        for round in 0..<Torture.amount(24, full: 300) {
            let note: Comment = "round \(round) of TROVE_TEST_SEED=\(seed)"
            let before = model
            do {
                try store.write { context in
                    context.ranks.limit = [1, 20, 100_000].randomElement(using: &random) ?? 1
                    for _ in 0..<Int.random(in: 1...4, using: &random) { try change(context, &model, &random, note) }
                    if Int.random(in: 0..<6, using: &random) == 0 { throw Undone() }
                }
            } catch is Undone { model = before }
            if round % 2 == 1 { try model.expectSame(store, using: &random, note) }
            if round % 10 == 3 { #expect(try store.check() == [], note) }
        }
        #expect(try store.check() == [], "TROVE_TEST_SEED=\(seed)")
        #expect(try Store.verify(path: store.path).findings.isEmpty)
        #expect(!model.runners.isEmpty && model.runners.keys.contains { $0 >= 10_000 }, "TROVE_TEST_SEED=\(seed)")
    }

    /// The counts are read by a hook while the statement is under way, and the statement is undone.
    @Test func aRefusedCascade_leavesAllCounts() throws {
        var runners = (0..<400).map { Runner(id: $0, country: "no", seconds: $0, action: .none) }
        runners[350].action = .refusesDelete
        try RunningClub(id: 1, runners: .relation(runners)).save(to: store)
        let list = Runner.query().sorted(by: \.seconds.desc)
        try store.write { context in
            #expect(throws: Undone.self) { try RunningClub.delete(id: 1, from: context) }
            #expect(try list.rank(ofKey: 0).resolve(in: context) == 400)
            #expect(try list.offset(390).limit(2).keys(in: context) == [9, 8])
            runners[350].action = .heir
            try runners[350].save(to: context)
            try RunningClub.delete(id: 1, from: context)
            #expect(try Runner.filter(\.seconds >= 0).count(in: context) == 1)
            #expect(try list.rank(ofKey: 10_350).resolve(in: context) == 1)
        }
        #expect(try list.keys(in: store) == [10_350])
        #expect(try store.check() == [])
    }
}
