// Random nested queries over random graphs give what a slow resolver gives.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Random nested queries") struct RandomShapeTests {
    private static var rounds: Int { ProcessInfo.processInfo.environment["TROVE_GRAPH_ROUNDS"].flatMap(Int.init) ?? 60 }

    @Test func anyShape_equalsTheSlowResolver() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        for round in 0..<Self.rounds {
            var world = try World(seed: seed &+ UInt64(round))
            for step in 0..<8 {
                let comment: Comment = "TROVE_TEST_SEED=\(seed &+ UInt64(round)) step \(step)"
                try world.compare(comment)
            }
        }
    }

    /// A store with a random graph.
    private struct World {
        private let store: Store
        private var random: SeededGenerator
        /// The number of ids of each type. Not all are stored.
        private let size: Int

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            size = [4, 7, 40].randomElement(using: &random)!
            store = try Store.temporary(records: [User.self])
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                try store.write { context in
                    for _ in 0..<size { try save(to: context) }
                }
            }
        }

        mutating func compare(_ comment: Comment) throws {
            switch number(4) {
            case 0: try compare(User.self, comment)
            case 1: try compare(Chat.self, comment)
            case 2: try compare(Message.self, comment)
            default: try compare(Attachment.self, comment)
            }
        }

        private mutating func compare<Entity: SpecifiedEntity>(_ type: Entity.Type, _ comment: Comment) throws {
            let specs = NestedSpec.random(type, depth: 3, using: &random)
            let ids = ids(6)
            let (filter, way) = (number(3), number(4))
            // In a write transaction, after changes of its own.
            if number(4) == 0 {
                try store.write { context in
                    for _ in 0..<3 { try save(to: context) }
                    try compare(type, specs, ids, filter, way, context, comment)
                }
            } else {
                try store.read { try compare(type, specs, ids, filter, way, $0, comment) }
            }
        }

        private func compare<Entity: SpecifiedEntity>(
            _ type: Entity.Type, _ specs: [NestedSpec], _ ids: [String], _ filter: Int, _ way: Int,
            _ context: ReadContext, _ comment: Comment
        ) throws {
            let roots: [Entity]
            let found: [Entity]
            switch way {
            case 0:
                roots = try Query<Entity>().resolve(in: context)
                found = try Query<Entity>().applying(specs).resolve(in: context)
            case 1:
                let query = Entity.sorted(Query().filter(Entity.filters[filter].query), isDescending: true)
                roots = try query.resolve(in: context)
                var visited: [Entity] = []
                try query.applying(specs).forEach(in: context) { visited.append($0) }
                found = visited
            case 2:
                roots = try context.get(type, keys: ids)
                found = try Entity.query(ids).changing { $0 = $0.applying(specs) }.resolve(in: context)
            default:
                roots = try context.get(type, keys: ids.prefix(1))
                let single = Entity.query(ids.first ?? "")
                found = try single.changing { $0 = $0.applying(specs) }.resolve(in: context).map { [$0] } ?? []
            }
            let expected = try roots.map { try $0.expectedText(specs, in: context) }
            let texts = found.map(graphText)
            if texts != expected {
                for (text, wanted) in zip(texts, expected) where text != wanted {
                    #expect(text == wanted, comment)
                    break
                }
                #expect(texts.count == expected.count, comment)
            }
        }

        // MARK: Random entities

        private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        private mutating func id() -> String { "\(number(size + 1))" }

        private mutating func ids(_ count: Int) -> [String] { (0..<number(count)).map { _ in id() } }

        private mutating func text() -> String { ["a", "b", "c"][number(3)] }

        private mutating func list<Entity: SpecifiedEntity, Direction>() -> ToManyRelation<
            Entity, Direction, Relations.Optional
        > {
            switch number(3) {
            case 0: .ids(ids(8))
            case 1: .appending(ids: ids(4))
            default: .none
            }
        }

        private mutating func single<Entity: SpecifiedEntity, Direction, Constraints>() -> ToOneRelation<
            Entity, Direction, Constraints
        > {
            number(2) == 0 ? .id(id()) : .none
        }

        private mutating func save(to context: TransactionContext) throws {
            switch number(4) {
            case 0:
                var user = User(id: id(), name: text(), nickname: number(2) == 0 ? nil : "n")
                user.$chats = list()
                user.$adminOf = list()
                user.$friends = list()
                user.$partner = single()
                try user.save(to: context)
            case 1:
                var chat = Chat(id: id())
                chat.$users = list()
                chat.$messages = list()
                chat.$admins = list()
                try chat.save(to: context)
            case 2:
                var message = Message(id: id(), text: text())
                message.$author = single()
                message.$chat = single()
                message.$attachment = single()
                message.$replies = list()
                message.$replyTo = single()
                message.$viewedBy = list()
                try message.save(to: context)
            default:
                var attachment = Attachment(id: id(), path: number(2) == 0 ? nil : text())
                attachment.$message = single()
                try attachment.save(to: context)
            }
        }
    }
}
