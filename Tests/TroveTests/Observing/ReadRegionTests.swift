// What reads depend on: a commit that touches nothing of it changes no result.

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
        #expect(try part(Post.schema) { try Post.query(topic: 1).select(in: $0) } == expected)
        #expect(try part(Post.schema) { try Post.query(topic: 1).count(in: $0) } == expected)
        #expect(try part(Post.schema) { try Post.query(topic: 1).keys(in: $0) } == expected)
        #expect(try part(Post.schema) { try Post.query(topic: 1).first(in: $0) } == expected)
        #expect(try part(Post.schema) { try Post.query(topic: 1).select(\.score, in: $0) } == expected)
        #expect(try part(Post.schema) { try Post.filter(\.topic == 1).resolve(in: $0) } == expected)
        #expect(try part(Post.schema) { try Post.filter(\.topic == 1 && \.score > 3).keys(in: $0) } == expected)
        #expect(
            try part(Post.schema) { try Post.filter(\.topic == 1).grouped(by: \.score).counts(in: $0) } == expected)
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
            _ = try context.notingReads { try Post.query().select(in: context) }
            #expect(context.readRegion == nil)
        }
        try store.read { #expect($0.readRegion == nil) }
    }
}
