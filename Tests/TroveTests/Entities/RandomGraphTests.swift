// Random graphs: saved, appended, replaced, moved, nulled, detached, deleted by every rule, upserted, updated, undone
// and reopened. Every relation, read from both ends, equals a graph in memory.

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
    #Unique<Badge>(\.code, collisions: .upsert)

    let id: Int
    var name: String
    var code: Int?
    @Relationship(inverse: \.badge) var owner: Worker?
}

@EntityModel
private struct Job: Equatable {
    #Index<Job>(\.name)
    #Unique<Job>(\.slot, collisions: .upsert)

    let id: Int
    var name: String
    var slot: Int?
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
                // The check of all indexes takes as long as the rest.
                if step % 5 == 4 { try world.check(comment) }
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
            model.uniqueValues[ObjectIdentifier(Badge.self)] = { ($0 as? Badge)?.code }
            model.uniqueValues[ObjectIdentifier(Job.self)] = { ($0 as? Job)?.slot }
        }

        private static func open(_ directory: TemporaryDirectory) throws -> Store {
            try Store(
                path: directory.path("graph.trove"), records: [Guild.self], options: StoreOptions(durability: .noSync))
        }

        mutating func carryOut(_ comment: Comment) throws {
            switch number(16) {
            case 0: try delete(comment)
            case 1: try deleteMatches(comment)
            case 2: try detach(comment)
            case 3: try deleteTargets(comment)
            case 4: try saveRelation(comment)
            case 5: try update(comment)
            case 6..<9: try save(crew(2), comment)
            case 9..<12: try save(worker(2), comment)
            default: try save(job(2), comment)
            }
            if number(8) == 0 { store = try Self.open(directory) }
        }

        // MARK: Statements

        private mutating func delete(_ comment: Comment) throws {
            let (key, type) = (number(5), RandomGraphTests.types[number(4)])
            try run(comment) { model in
                try model.delete(type, KeyWriter.bytes(of: key))
            } and: { context in
                _ = try type.delete(KeyWriter.bytes(of: key), in: context)
            }
        }

        /// Deletes a range of keys, or all entities of a type.
        private mutating func deleteMatches(_ comment: Comment) throws {
            let limit = number(6)
            let isWhole = number(4) == 0
            let types: [any EntityModelProtocol.Type] = [Job.self, Worker.self]
            let type = types[number(2)]
            try run(comment) { model in
                for id in 0..<5 where isWhole || id < limit { try model.delete(type, KeyWriter.bytes(of: id)) }
            } and: { context in
                switch (isWhole, type == Job.self) {
                case (true, true): try Job.query().delete(in: context)
                case (true, false): try Worker.query().delete(in: context)
                case (false, true): try Job.filter(\.id < limit).delete(in: context)
                case (false, false): try Worker.filter(\.id < limit).delete(in: context)
                }
            }
        }

        private mutating func detach(_ comment: Comment) throws {
            let (owner, targets) = (number(5), ids())
            let keys = targets.map { KeyWriter.bytes(of: $0) }
            let isWhole = number(3) == 0
            if number(2) == 0 {
                return try run(comment) { model in
                    model.detach(
                        try Self.end("crews", of: Worker.self), KeyWriter.bytes(of: owner), isWhole ? nil : keys)
                } and: { context in
                    let worker = Worker(id: owner, name: "")
                    if isWhole {
                        try worker.detach(\.$crews, inverse: \.$members, in: context)
                    } else {
                        try worker.detach(targets, relation: \.$crews, inverse: \.$members, in: context)
                    }
                }
            }
            try run(comment) { model in
                model.detach(try Self.end("friends", of: Worker.self), KeyWriter.bytes(of: owner), isWhole ? nil : keys)
            } and: { context in
                let worker = Worker(id: owner, name: "")
                if isWhole {
                    try worker.detach(\.$friends, inverse: \.$friends, in: context)
                } else {
                    try worker.detach(targets, relation: \.$friends, inverse: \.$friends, in: context)
                }
            }
        }

        private mutating func deleteTargets(_ comment: Comment) throws {
            let (owner, targets) = (number(5), ids())
            let key = KeyWriter.bytes(of: owner)
            if number(2) == 0 {
                return try run(comment) { model in
                    try model.deleteTargets(try Self.end("tasks", of: Guild.self), key)
                } and: { context in
                    try Guild(id: owner, name: "").delete(\.$tasks, inverse: \.$crew, from: context)
                }
            }
            try run(comment) { model in
                let end = try Self.end("watchers", of: Job.self)
                try model.deleteTargets(end, key, targets.map { KeyWriter.bytes(of: $0) })
            } and: { context in
                try Job(id: owner, name: "").delete(targets, relation: \.$watchers, from: context)
            }
        }

        private mutating func saveRelation(_ comment: Comment) throws {
            let (crew, job) = (crew(2), job(2))
            if number(2) == 0 {
                return try run(comment) { model in
                    try model.save("members", of: crew)
                } and: { context in
                    try crew.save(\.$members, inverse: \.$crews, to: context)
                }
            }
            try run(comment) { model in
                try model.save("notes", of: job)
            } and: { context in
                try job.save(\.$notes, to: context)
            }
        }

        /// Changes all workers, with a relation.
        private mutating func update(_ comment: Comment) throws {
            let (name, friends) = (name(), ids())
            try run(comment) { model in
                let stored = (model.entities[ObjectIdentifier(Worker.self)] ?? [:]).values
                for case var worker as Worker in stored.sorted(by: {
                    ($0 as? Worker)?.id ?? 0 < ($1 as? Worker)?.id ?? 0
                }) {
                    worker.name = name
                    worker.$friends = .appending(ids: friends)
                    try model.save(worker)
                }
            } and: { context in
                try Worker.query().update(in: context) { worker in
                    worker.name = name
                    worker.$friends = .appending(ids: friends)
                }
            }
        }

        private static func end(_ property: String, of type: any EntityModelProtocol.Type) throws -> RelationEnd {
            try #require(try type.relationEnds().first { $0.description.property == property })
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
                            // An expectation for each would take most of the time.
                            if found != model.links(end, of: key) {
                                #expect(
                                    found == model.links(end, of: key), "\(end.description.property) \(id), \(comment)")
                            }
                        }
                    }
                }
            }
        }

        func check(_ comment: Comment) throws { try store.expectIntactLinks(comment) }

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
            var badge = Badge(id: number(5), name: name(), code: number(2) == 0 ? number(3) : nil)
            badge.$owner = toOne(depth) { $0.worker($1) }
            return badge
        }

        private mutating func job(_ depth: Int) -> Job {
            var job = Job(id: number(5), name: name(), slot: number(3) == 0 ? number(4) : nil)
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
