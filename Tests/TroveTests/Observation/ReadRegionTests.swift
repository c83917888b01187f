// The regions of reads: a commit outside a read's region does not change its result.

import Testing
import TroveCoding
import TroveTestSupport

@testable import LMDB
@testable import Trove

@IndexKeyRecord("topic", "id")
private struct Post: Equatable {
    #Index<Post>(\.score)
    #FullTextIndex<Post>(\.text)

    let topic: Int
    let id: Int
    var text: String
    var score: Int
}

@Suite("The regions of reads") struct ReadRegionTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Post.self, User.self, Chat.self, Message.self]) }

    private func region<R>(_ body: (ReadContext) throws -> R) throws -> ObservedRegion {
        try store.read { context in try context.notingReads { try body(context) }.1 }
    }

    private func part<R>(_ schema: RecordSchema, _ body: (ReadContext) throws -> R) throws -> ObservedRegion.Part? {
        let region = try region(body)
        #expect(!region.isEverything)
        #expect(region.parts.count == 1)
        return region.parts[schema.keyPrefix]
    }

    @Test func aRecord_isItsKey() throws {
        let key = KeyWriter.bytes(of: 1) + KeyWriter.bytes(of: 2)
        let found = try part(Post.schema) { try $0.get(Post.self, key: Tuple(1, 2)) }
        #expect(found == ObservedRegion.Part(keys: [key]))
        let contained = try part(Post.schema) { try $0.contains(Post.self, key: Tuple(1, 2)) }
        #expect(contained == ObservedRegion.Part(keys: [key]))
    }

    @Test func aRange_isItself() throws {
        let range = KeyRange(prefix: KeyWriter.bytes(of: 1))
        let expected = ObservedRegion.Part(ranges: [range])
        #expect(try part(Post.schema) { try Post.query(topic: 1).resolve(in: $0) } == expected)
        #expect(try part(Post.schema) { try Post.query(topic: 1).count(in: $0) } == expected)
        #expect(try part(Post.schema) { try Post.query(topic: 1).keys(in: $0) } == expected)
        #expect(try part(Post.schema) { try Post.query(topic: 1).first(in: $0) } == expected)
        #expect(try part(Post.schema) { try Post.query(topic: 1).select(\.score).resolve(in: $0) } == expected)
        #expect(try part(Post.schema) { try Post.filter(\.topic == 1).resolve(in: $0) } == expected)
        #expect(try part(Post.schema) { try Post.filter(\.topic == 1 && \.score > 3).keys(in: $0) } == expected)
        #expect(
            try part(Post.schema) { try Post.filter(\.topic == 1).grouped(by: \.score).count(in: $0) } == expected)
    }

    @Test func otherProperties_areTheWholeType() throws {
        let whole = ObservedRegion.Part(isWhole: true)
        #expect(try part(Post.schema) { try Post.filter(\.score > 3).resolve(in: $0) } == whole)
        #expect(try part(Post.schema) { try Post.query().count(in: $0) } == whole)
        #expect(try part(Post.schema) { try Post.filter(.matches("word")).resolve(in: $0) } == whole)
    }

    @Test func manyKeys_areBounded() throws {
        let region = try region { context in
            for id in 0..<3_000 { _ = try context.get(Post.self, key: Tuple(1, id)) }
        }
        #expect(region.parts[Post.schema.keyPrefix]?.isWhole == true)
        let ranges = try self.region { context in
            try Post.filter(.within(\.topic, Array(0..<500))).resolve(in: context)
        }
        #expect(ranges.parts[Post.schema.keyPrefix]?.ranges.count == 1)
    }

    @Test func linksThatDoNotExistYet_areEverything() throws {
        try Chat(id: "1").save(to: store)
        #expect(try region { try User.query("1").related(\.$chats).resolve(in: $0) }.isEverything)
    }

    @Test func aReadWithoutNotes_notesNothing() throws {
        try store.read { context in
            _ = try context.notingReads { try Post.query().resolve(in: context) }
            #expect(context.readRegion == nil)
        }
        try store.read { #expect($0.readRegion == nil) }
    }

    // MARK: At random

    /// A read, and what it has returned last.
    private final class Watched {
        let name: String
        let read: (ReadContext) throws -> String
        var last = ""
        var region = ObservedRegion.everything

        init(_ name: String, _ read: @escaping (ReadContext) throws -> String) {
            self.name = name
            self.read = read
        }

        func run(in context: ReadContext) throws {
            (last, region) = try context.notingReads { try read(context) }
        }
    }

    private var watched: [Watched] {
        [
            Watched("get") { "\(String(describing: try $0.get(Post.self, key: Tuple(1, 1))))" },
            Watched("range") { "\(try Post.query(topic: 1).resolve(in: $0))" },
            Watched("filter") { "\(try Post.filter(\.topic == 2 && \.score > 3).sorted(by: \.text).resolve(in: $0))" },
            Watched("index") { "\(try Post.filter(\.score > 3).keys(in: $0))" },
            Watched("page") { "\(try Post.query().sorted(by: \.score).limit(2).resolve(in: $0))" },
            Watched("text") { "\(try Post.filter(.matches("red")).hits(in: $0).map { ($0.record.id, $0.score) })" },
            Watched("sum") { "\(try Post.query(topic: 0).sum(of: \.score).resolve(in: $0))" },
            Watched("groups") { "\(try Post.query().grouped(by: \.topic).count(in: $0))" },
            Watched("related") { "\(try Chat.query("1").related(\.$messages).keys(in: $0))" },
            Watched("related of a query") {
                "\(try User.filter(\.name == "a").related(\.$chats).related(\.$messages).keys(in: $0))"
            },
            Watched("linked") { "\(try Chat.filter(.linked(\.$users, to: ["1"])).keys(in: $0))" },
            Watched("none") { "\(try User.filter(.hasNone(\.$chats)).keys(in: $0))" },
            Watched("links") { "\(try User.query("1").linkCount(of: \.$chats).resolve(in: $0))" },
            Watched("nested") { context in
                let users = try User.query().with(\.$chats) { $0.with(\.$messages) }.resolve(in: context)
                return "\(try ContentHash.of(users))"
            },
            Watched("entity") { context in
                let user = try User.query("1").with(\.$friends).resolve(in: context)
                return "\(try user.map { try ContentHash.of($0) } ?? 0)"
            },
        ]
    }

    @Test func aCommitOutsideOfARegion_changesNothing_atRandom() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let notices = Monitor(ChangedKeys())
        let observation = store.catalog.hub.add { notice in notices.withLock { $0.formUnion(notice.changedKeys) } }
        let all = watched
        try store.read { context in for one in all { try one.run(in: context) } }
        var untouched = 0
        for step in 0..<300 {
            try write(using: &generator)
            let changes = notices.withLock { changes in
                defer { changes = ChangedKeys() }
                return changes
            }
            try store.read { context in
                for one in all {
                    if one.region.isTouched(by: changes) {
                        try one.run(in: context)
                    } else {
                        untouched += 1
                        let now = try one.read(context)
                        #expect(
                            now == one.last,
                            """
                            seed \(seed), step \(step): \(one.name), \(now) after \(one.last), \(one.region.parts.keys), \
                            changed \(changes.types)
                            """)
                    }
                }
            }
        }
        #expect(untouched > 300, "seed \(seed)")
        withExtendedLifetime(observation) {}
    }

    private func write(using generator: inout SeededGenerator) throws {
        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
        func id() -> String { "\(number(4))" }
        try store.write { context in
            switch number(7) {
            case 0: try context.delete(Post.self, key: Tuple(number(3), number(5)))
            case 1: try Post.query(topic: number(3)).delete(in: context)
            case 2, 3:
                let words = ["red", "blue", "red red", "green"]
                try context.insert(
                    Post(topic: number(3), id: number(5), text: words[number(4)], score: number(6)))
            case 4:
                var user = User(id: id(), name: ["a", "b"][number(2)])
                if number(2) == 0 { user.$chats = .ids([id(), "9"]) }
                if number(2) == 0 { user.$friends = .appending(ids: [id()]) }
                try user.save(to: context)
            case 5:
                try Chat(id: id()).save(to: context)
                var message = Message(id: id(), text: ["x", "y"][number(2)])
                message.$author = .id(id())
                message.$chat = .id(id())
                try message.save(to: context)
            default:
                let user = id()
                // A relation may deny it.
                try? context.nested { try User.query(user).resolve(in: $0)?.delete(from: $0) }
            }
        }
    }
}
