// Random graphs: saved, appended, replaced, moved, nulled, detached, deleted by every rule, undone and reopened. Every
// relation, read from both ends, equals a graph in memory.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@EntityModel
private struct Guild: Equatable {
    let id: Int
    var name: String
    @Relationship(inverse: \.crews) var members: [Worker]?
    @Relationship(deleteRule: .cascade, inverse: \.crew) var tasks: [Job]?
    @Relationship var lead: Worker? = nil
}

@EntityModel
private struct Worker: Equatable {
    let id: Int
    var name: String
    @Relationship(inverse: \.members) var crews: [Guild]?
    @Relationship(inverse: \.friends) var friends: [Worker]?
    @Relationship(inverse: \.partner) var partner: Worker?
    @Relationship(deleteRule: .deny, inverse: \.owner) var badge: Badge?
}

@EntityModel
private struct Badge: Equatable {
    let id: Int
    var name: String
    @Relationship(inverse: \.badge) var owner: Worker?
}

@EntityModel
private struct Job: Equatable {
    let id: Int
    var name: String
    @Relationship(inverse: \.tasks) var crew: Guild?
    @Relationship(deleteRule: .cascade, inverse: \.parent) var parts: [Job]?
    @Relationship(inverse: \.parts) var parent: Job?
    @Relationship(inverse: \.blockedBy) var blocks: [Job]?
    @Relationship(inverse: \.blocks) var blockedBy: [Job]?
    @Relationship(deleteRule: .cascade) var notes: [Badge]? = nil
    @Relationship var watchers: [Worker]? = nil
}

@Suite("Random graphs") struct RandomGraphTests {
    private static let types: [any EntityModelProtocol.Type] = [Guild.self, Worker.self, Badge.self, Job.self]

    private static var rounds: Int { ProcessInfo.processInfo.environment["TROVE_GRAPH_ROUNDS"].flatMap(Int.init) ?? 60 }

    @Test func everyRelation_equalsTheModel() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        for round in 0..<Self.rounds {
            var world = try World(seed: seed &+ UInt64(round))
            for step in 0..<25 {
                let comment: Comment = "TROVE_TEST_SEED=\(seed &+ UInt64(round)) step \(step)"
                try world.carryOut(comment)
                try world.compare(comment)
            }
        }
    }

    /// A store beside its model.
    private struct World {
        private let directory: TemporaryDirectory
        private var store: Store
        private var model = GraphModel()
        private var random: SeededGenerator

        init(seed: UInt64) throws {
            directory = try TemporaryDirectory()
            store = try Self.open(directory)
            random = SeededGenerator(seed: seed)
        }

        private static func open(_ directory: TemporaryDirectory) throws -> Store {
            try Store(
                path: directory.path("graph.trove"), records: [Guild.self], options: StoreOptions(durability: .noSync))
        }

        mutating func carryOut(_ comment: Comment) throws {
            switch number(10) {
            case 0:
                let (key, type) = (number(5), RandomGraphTests.types[number(4)])
                try run(comment) { model in
                    try model.delete(type, KeyWriter.bytes(of: key))
                } and: { context in
                    _ = try type.delete(KeyWriter.bytes(of: key), in: context)
                }
            case 1:
                let limit = number(5)
                let ids = (0..<5).filter { $0 < limit }
                try run(comment) { model in
                    for id in ids { try model.delete(Job.self, KeyWriter.bytes(of: id)) }
                } and: { context in
                    try Job.filter(\.id < limit).delete(in: context)
                }
            case 2:
                let (owner, targets) = (number(5), ids())
                let isWhole = number(3) == 0
                try run(comment) { model in
                    model.detach(
                        try Worker.relationEnds()[1], KeyWriter.bytes(of: owner),
                        isWhole ? nil : targets.map { KeyWriter.bytes(of: $0) })
                } and: { context in
                    let worker = Worker(id: owner, name: "")
                    if isWhole {
                        try worker.detach(\.$friends, inverse: \.$friends, in: context)
                    } else {
                        try worker.detach(targets, relation: \.$friends, inverse: \.$friends, in: context)
                    }
                }
            case 3..<5: try save(crew(2), comment)
            case 5..<7: try save(worker(2), comment)
            default: try save(job(2), comment)
            }
            if number(8) == 0 { store = try Self.open(directory) }
        }

        private mutating func save<Entity: EntityModelProtocol>(_ entity: Entity, _ comment: Comment) throws {
            try run(comment) { model in
                try model.save(entity)
            } and: { context in
                try entity.save(to: context)
            }
        }

        /// Carries out a statement in the model and in the store, in one of several transactions.
        private mutating func run(
            _ comment: Comment, _ change: (inout GraphModel) throws -> Void,
            and body: (TransactionContext) throws -> Void
        ) throws {
            struct Undo: Error {}
            var expected: (any Error)?
            var after = model
            do { try after.statement(change) } catch { expected = error }
            let isUndone = number(6) == 0
            let isNested = number(3) == 0
            do {
                try store.write { context in
                    if isNested {
                        try context.nested { try body($0) }
                    } else {
                        try body(context)
                    }
                    if isUndone { throw Undo() }
                }
                #expect(expected == nil, comment)
            } catch StoreError.deleteDenied {
                #expect(expected is GraphModel.Denied, comment)
            } catch is Undo {
                #expect(expected == nil, comment)
                return
            }
            if expected == nil { model = after }
        }

        func compare(_ comment: Comment) throws {
            try store.read { context in
                for type in RandomGraphTests.types {
                    try compare(type, context, comment)
                    for end in try type.relationEnds() {
                        let links = try context.links(end)
                        for id in 0..<5 {
                            let key = KeyWriter.bytes(of: id)
                            let found = try links.map { try $0.links.targets(of: key, $0.side).map(\.key) } ?? []
                            #expect(found == model.links(end, of: key), comment)
                        }
                    }
                }
            }
            try store.expectIntactLinks(comment)
        }

        private func compare<Entity: EntityModelProtocol>(
            _ type: Entity.Type, _ context: ReadContext, _ comment: Comment
        ) throws {
            let expected = model.entities[ObjectIdentifier(type)] ?? [:]
            #expect(
                try context.get(type, keys: (0..<5).compactMap { $0 as? Entity.ID }).count == expected.count, comment)
            for case let entity as Entity in expected.values {
                let stored = try context.get(type, key: entity.id)
                #expect(stored.map { "\($0)" } == "\(entity)", comment)
            }
        }

        // MARK: Random graphs

        private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        private mutating func ids() -> [Int] { (0..<number(4)).map { _ in number(5) } }

        private mutating func toOne<Entity: EntityModelProtocol, Direction>(
            _ depth: Int, _ make: (inout Self, Int) -> Entity
        ) -> ToOneRelation<Entity, Direction, Relations.Optional> where Entity.ID == Int {
            switch number(7) {
            case 0: .null
            case 1: .id(number(5))
            case 2 where depth > 0: .relation(make(&self, depth - 1))
            case 3 where depth > 0: .relation(make(&self, depth - 1))
            default: .none
            }
        }

        private mutating func toMany<Entity: EntityModelProtocol, Direction>(
            _ depth: Int, _ make: (inout Self, Int) -> Entity
        ) -> ToManyRelation<Entity, Direction, Relations.Optional> where Entity.ID == Int {
            func some(_ world: inout Self) -> [Entity] { (0..<world.number(3)).map { _ in make(&world, depth - 1) } }
            switch number(9) {
            case 0: return .ids(ids())
            case 1: return .appending(ids: ids())
            case 2 where depth > 0: return .relation(some(&self))
            case 3 where depth > 0: return .appending(relation: some(&self))
            case 4 where depth > 0: return .relation(some(&self))
            default: return .none
            }
        }

        private mutating func name() -> String { ["a", "b", "c"][number(3)] }

        private mutating func crew(_ depth: Int) -> Guild {
            var crew = Guild(id: number(5), name: name())
            crew.$members = toMany(depth) { $0.worker($1) }
            crew.$tasks = toMany(depth) { $0.job($1) }
            crew.$lead = toOne(depth) { $0.worker($1) }
            return crew
        }

        private mutating func worker(_ depth: Int) -> Worker {
            var worker = Worker(id: number(5), name: name())
            worker.$crews = toMany(depth) { $0.crew($1) }
            worker.$friends = toMany(depth) { $0.worker($1) }
            worker.$partner = toOne(depth) { $0.worker($1) }
            worker.$badge = toOne(depth) { $0.badge($1) }
            return worker
        }

        private mutating func badge(_ depth: Int) -> Badge {
            var badge = Badge(id: number(5), name: name())
            badge.$owner = toOne(depth) { $0.worker($1) }
            return badge
        }

        private mutating func job(_ depth: Int) -> Job {
            var job = Job(id: number(5), name: name())
            job.$crew = toOne(depth) { $0.crew($1) }
            job.$parts = toMany(depth) { $0.job($1) }
            job.$parent = toOne(depth) { $0.job($1) }
            job.$blocks = toMany(depth) { $0.job($1) }
            job.$blockedBy = toMany(depth) { $0.job($1) }
            job.$notes = toMany(depth) { $0.badge($1) }
            job.$watchers = toMany(depth) { $0.worker($1) }
            return job
        }
    }
}
