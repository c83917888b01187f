// Observed requests whose values depend on more than the records of their type: texts, relations, nested requests.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@EntityModel
private struct Port {
    let id: Int
    var name: String
    @Relationship(inverse: \.port) var boats: [Boat]?
}

@EntityModel
private struct Boat {
    let id: Int
    var name: String
    @Relationship(inverse: \.boats) var port: Port?

    init(id: Int, _ name: String, in port: Int) {
        (self.id, self.name) = (id, name)
        $port = .id(port)
    }
}

@IndexKeyRecord("id")
private struct Letter: Equatable {
    #FullTextIndex<Letter>(\.text)

    let id: Int
    var text: String
}

@Suite("Observed texts and relations", .hangLimit) struct ObservedRequestTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Port.self, Boat.self, Letter.self])
        try store.write { context in
            for port in [Port(id: 1, name: "Oslo"), Port(id: 2, name: "Rome")] { try context.insert(port) }
            try context.insert(Boat(id: 1, "Fram", in: 1))
            try context.insert(Letter(id: 1, text: "a red door"))
        }
    }

    /// Returns the next value after a write.
    private func next<Value: Sendable>(
        _ values: inout ObservedValues<Value>.Iterator, after write: (TransactionContext) throws -> Void
    ) async throws -> Value {
        try store.writeNow(write)
        return try #require(try await values.next())
    }

    @Test func hits_haveTheScoresOfEachCommit() async throws {
        var values = Letter.matching("red door").hits.values(in: store).makeAsyncIterator()
        let first = try #require(try await values.next())
        #expect(first.map(\.record.id) == [1])
        let second = try await next(&values) { try $0.insert(Letter(id: 2, text: "red door red door")) }
        #expect(second.map(\.record.id) == [2, 1] && second[1].score != first[0].score)
        let expected = try await Letter.matching("red door").hits(in: store)
        #expect(second.map(\.score) == expected.map(\.score))
    }

    @Test func linksOfAnEntity_areCountedAfterEachCommit() async throws {
        var counts = Port.query(1).linkCount(of: \.$boats).values(in: store).makeAsyncIterator()
        #expect(try await counts.next() == 1)
        let two = try await next(&counts) { try $0.insert(Boat(id: 2, "Gjøa", in: 1)) }
        let one = try await next(&counts) { _ = try $0.delete(Boat.self, key: 1) }
        #expect((two, one) == (2, 1))
        var groups = Port.query().relatedGroups(\.$boats).values(in: store).makeAsyncIterator()
        #expect(try await groups.next()?.map { $0.targets.map(\.id) } == [[2], []])
        let moved = try await next(&groups) { try $0.insert(Boat(id: 3, "Belgica", in: 2)) }
        #expect(moved.map { $0.targets.map(\.id) } == [[2], [3]])
    }

    @Test func aSearch_isRunAgainForNewHits_andOfTheirOrder() async throws {
        var values = Letter.filter(.matches("red door")).values(in: store).makeAsyncIterator()
        #expect(try await values.next()?.map(\.id) == [1])
        var found = try await next(&values) { try $0.insert(Letter(id: 2, text: "red door red door")) }
        #expect(found.map(\.id) == [2, 1])
        // A letter that is no hit may change the relevance, and does not change the list here.
        try store.writeNow { try $0.insert(Letter(id: 3, text: "a window")) }
        found = try await next(&values) { try $0.insert(Letter(id: 1, text: "a window")) }
        #expect(found.map(\.id) == [2])
    }

    @Test func relatedRecords_areGivenAgainForLinks_andOfContents() async throws {
        var values = Port.query(1).related(\.$boats).values(in: store).makeAsyncIterator()
        #expect(try await values.next()?.map(\.name) == ["Fram"])
        var boats = try await next(&values) { try $0.insert(Boat(id: 2, "Maud", in: 1)) }
        #expect(boats.map(\.name) == ["Fram", "Maud"])
        boats = try await next(&values) { try $0.insert(Boat(id: 2, "Gjoa", in: 1)) }
        #expect(boats.map(\.name) == ["Fram", "Gjoa"])
        boats = try await next(&values) { try $0.insert(Boat(id: 1, "Fram", in: 2)) }
        #expect(boats.map(\.name) == ["Gjoa"])
        boats = try await next(&values) { try $0.delete(Boat.self, key: 2) }
        #expect(boats.isEmpty)
    }

    @Test func nestedRecords_areGivenWithTheirOwners() async throws {
        var values = Port.query().with(\.$boats).values(in: store).makeAsyncIterator()
        #expect(try await values.next()?.map { $0.boats?.map(\.name) ?? [] } == [["Fram"], []])
        var ports = try await next(&values) { try $0.insert(Boat(id: 1, "Maud", in: 1)) }
        #expect(ports.map { $0.boats?.map(\.name) ?? [] } == [["Maud"], []])
        ports = try await next(&values) { try $0.insert(Boat(id: 1, "Maud", in: 2)) }
        #expect(ports.map { $0.boats?.map(\.name) ?? [] } == [[], ["Maud"]])
    }

    /// A record that does not decode ends the sequences that read it, and no others.
    @Test func aDamagedRecord_endsTheSequencesThatReadIt() async throws {
        var one = Letter.query(1).values(in: store).makeAsyncIterator()
        var all = Letter.query().values(in: store).makeAsyncIterator()
        var other = Letter.query(2).values(in: store).makeAsyncIterator()
        #expect(try await one.next()??.id == 1)
        #expect(try await all.next()?.count == 1)
        #expect(try await other.next() == .some(nil))
        try store.writeNow { context in
            let table = try #require(try context.table(for: Letter.schema))
            let (key, value) = (KeyWriter.bytes(of: 1), try Letter(id: 1, text: "a red door").encodedValue())
            try context.keyspace.put(table.database, key, Array(value.dropLast(3)))
            context.noteChange()
            key.withRawSpan { context.changedKeys.note(Letter.schema.keyPrefix, $0) }
            try context.insert(Letter(id: 2, text: "whole"))
        }
        await #expect(throws: StoreError.self) { _ = try await one.next() }
        await #expect(throws: StoreError.self) { _ = try await all.next() }
        #expect(try await one.next() == nil)
        #expect(try await all.next() == nil)
        #expect(try await other.next()??.text == "whole")
    }
}

extension Store {
    /// Writes on this thread, in an async function.
    fileprivate func writeNow(_ body: (TransactionContext) throws -> Void) throws { try write(body) }
}
