// Random graphs: saved, appended, replaced, moved, nulled, detached, deleted by every rule, upserted, updated, undone
// and reopened. Every relation, read from both ends, equals a graph in memory.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Random graphs") struct RandomGraphTests {
    private static let types: [any GraphEntity.Type] = [Guild.self, Worker.self, GuildBadge.self, Job.self]

    private static var rounds: Int { ProcessInfo.processInfo.environment["TROVE_GRAPH_ROUNDS"].flatMap(Int.init) ?? 24 }

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
        private var follower = HistoryKeysFollower()

        init(seed: UInt64) throws {
            directory = try TemporaryDirectory()
            store = try Self.open(directory, HistoryKeysFollower.policy(seed))
            random = SeededGenerator(seed: seed)
        }

        private static func open(_ directory: TemporaryDirectory, _ history: HistoryPolicy? = nil) throws -> Store {
            try Store(
                path: directory.path("graph.trove"), records: [Guild.self],
                options: StoreOptions(durability: .noSync, history: history))
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
                model.delete(type.name, key)
            } and: { context in
                _ = try type.delete(KeyWriter.bytes(of: key), in: context)
            }
        }

        /// Deletes a range of keys, or all entities of a type.
        private mutating func deleteMatches(_ comment: Comment) throws {
            let limit = number(6)
            let isWhole = number(4) == 0
            let type = [Job.name, Worker.name][number(2)]
            try run(comment) { model in
                for id in 0..<5 where isWhole || id < limit { model.delete(type, id) }
            } and: { context in
                switch (isWhole, type == Job.name) {
                case (true, true): try Job.query().delete(in: context)
                case (true, false): try Worker.query().delete(in: context)
                case (false, true): try Job.filter(\.id < limit).delete(in: context)
                case (false, false): try Worker.filter(\.id < limit).delete(in: context)
                }
            }
        }

        private mutating func detach(_ comment: Comment) throws {
            let (owner, targets) = (number(5), ids())
            let isWhole = number(3) == 0
            if number(2) == 0 {
                return try run(comment) { model in
                    model.detach(model.link("crews", of: Worker.name), owner, isWhole ? nil : targets)
                } and: { context in
                    let worker = Worker(id: owner, name: "")
                    if isWhole {
                        try worker.detach(\.$crews, in: context)
                    } else {
                        try worker.detach(\.$crews, ids: targets, in: context)
                    }
                }
            }
            try run(comment) { model in
                model.detach(model.link("friends", of: Worker.name), owner, isWhole ? nil : targets)
            } and: { context in
                let worker = Worker(id: owner, name: "")
                if isWhole {
                    try worker.detach(\.$friends, in: context)
                } else {
                    try worker.detach(\.$friends, ids: targets, in: context)
                }
            }
        }

        private mutating func deleteTargets(_ comment: Comment) throws {
            let (owner, targets) = (number(5), ids())
            if number(2) == 0 {
                return try run(comment) { model in
                    model.deleteTargets(model.link("tasks", of: Guild.name), owner)
                } and: { context in
                    try Guild(id: owner, name: "").delete(\.$tasks, from: context)
                }
            }
            try run(comment) { model in
                model.deleteTargets(model.link("watchers", of: Job.name), owner, among: targets)
            } and: { context in
                try Job(id: owner, name: "").delete(\.$watchers, ids: targets, from: context)
            }
        }

        private mutating func saveRelation(_ comment: Comment) throws {
            let (crew, job) = (crew(2), job(2))
            if number(2) == 0 {
                return try run(comment) { model in
                    model.save(model.link("members", of: Guild.name), of: crew.node)
                } and: { context in
                    try crew.save(\.$members, to: context)
                }
            }
            try run(comment) { model in
                model.save(model.link("notes", of: Job.name), of: job.node)
            } and: { context in
                try job.save(\.$notes, to: context)
            }
        }

        /// Changes all workers, with a relation.
        private mutating func update(_ comment: Comment) throws {
            let (name, friends) = (name(), ids())
            try run(comment) { model in
                for id in (model.entities[Worker.name] ?? [:]).keys.sorted() {
                    model.save(Worker(id: id, name: name, friends: .appending(ids: friends)).node)
                }
            } and: { context in
                try Worker.query().update(in: context) { worker in
                    worker.name = name
                    worker.$friends = .appending(ids: friends)
                }
            }
        }

        private mutating func save(_ entity: some GraphEntity, _ comment: Comment) throws {
            try run(comment) { model in
                model.save(entity.node)
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
            } catch StoreError.entity(.deleteDenied) {
                #expect(expected is GraphModel.Denied, comment)
            } catch is Undo {
                #expect(expected == nil, comment)
                return
            }
            if expected == nil { model = after }
        }

        mutating func compare(_ comment: Comment) throws {
            try follower.follow(store, comment)
            try store.read { context in
                for type in RandomGraphTests.types {
                    try compareEntities(type, context, comment)
                    try compareLinks(type, context, comment)
                }
            }
        }

        func check(_ comment: Comment) throws { try store.expectIntactLinks(comment) }

        private func compareEntities<Entity: GraphEntity>(
            _ type: Entity.Type, _ context: ReadContext, _ comment: Comment
        ) throws {
            let expected = model.entities[Entity.name] ?? [:]
            #expect(try context.get(type, keys: Array(0..<5)).count == expected.count, comment)
            for (id, properties) in expected {
                #expect(try context.get(type, key: id)?.properties == properties, comment)
            }
        }

        /// Compares each relation of a type, read from its owners' end, and from the targets' end if it is one-way.
        private func compareLinks<Entity: GraphEntity>(
            _ type: Entity.Type, _ context: ReadContext, _ comment: Comment
        ) throws {
            let relations = model.links(of: Entity.name)
            #expect(try Entity.declaredRelations().map(\.description.property) == relations.map(\.property))
            for (relation, end) in zip(relations, try Entity.declaredRelations()) {
                let links = try context.links(end)
                func ids(of id: Int, _ side: LinkSide?) throws -> [Int] {
                    guard let links else { return [] }
                    return try links.links.targets(of: KeyWriter.bytes(of: id), side ?? links.side).map { target in
                        try target[...].component()
                    }
                }
                for id in 0..<5 {
                    // An expectation for each would take most of the time.
                    let found = try ids(of: id, nil)
                    if found != model.ids(relation, of: id) {
                        #expect(found == model.ids(relation, of: id), "\(relation.property) \(id), \(comment)")
                    }
                    guard relation.inverse == nil else { continue }
                    let owners = try ids(of: id, links?.side.other)
                    if owners != model.owners(relation, of: id) {
                        #expect(owners == model.owners(relation, of: id), "to \(id), \(comment)")
                    }
                }
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

        private mutating func badge(_ depth: Int) -> GuildBadge {
            var badge = GuildBadge(id: number(5), name: name(), code: number(2) == 0 ? number(3) : nil)
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
