// Differences from SwiftletModel that are on purpose, as Docs/ComingFrom.md lists them.

import Foundation
import Testing
import Trove
import TroveSpellings

private struct Refused: Error {}

@EntityModel
private struct Lamp: Codable, Equatable {
    let id: String
    var color: String?
    var tags: [String]?
}

@EntityModel(keepsDeleted: true)
private struct Room: Codable, Equatable {
    #Unique<Self>(\.number, collisions: .throw)

    let id: String
    var name: String
    var number: Int?
    @Relationship() var lamp: Lamp?
    @Relationship var lamps: [Lamp]? = nil

    func willDelete(from context: TransactionContext) throws { if name == "Vault" { throw Refused() } }
}

@EntityModel
private struct House: Codable, Equatable {
    let id: String
    @Relationship var rooms: [Room]? = nil
}

@Suite("Coming from SwiftletModel: differences") struct DifferenceTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [House.self]) }

    @Test func deletingWhatIsNotStored_callsNoHook_andKeepsTheLinks() throws {
        let vault = Room(id: "1", name: "Vault", lamp: .id("a"))
        try vault.save(\.$lamp, to: store)
        try vault.delete(from: store)
        #expect(try vault.links(\.$lamp, in: store) == ["a"])
    }

    @Test func hooksOfADelete_getTheStoredEntity() throws {
        try Room(id: "1", name: "Vault").save(to: store)
        #expect(throws: Refused.self) { try Room(id: "1", name: "Attic").delete(from: store) }
        #expect(try Room.query().count(in: store) == 1)
    }

    @Test func null_isAnIDThatIsNull_inKeyedJSON() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.relationEncodingStrategy = .keyedContainer
        let room = Room(id: "1", name: "Attic", number: 1, lamp: .null)
        let json = #"{"id":"1","lamp":{"id":null},"lamps":null,"name":"Attic","number":1}"#
        #expect(try String(decoding: encoder.encode(room), as: UTF8.self) == json)
        let decoder = JSONDecoder()
        decoder.relationDecodingStrategy = .keyedContainer
        #expect(try decoder.decode(Room.self, from: Data(json.utf8)).$lamp.isNull)
    }

    @Test func anObjectWithAnID_isAnID_alsoWhereAllElseIsOptional() throws {
        let json = #"{"id": "1", "name": "Attic", "lamp": {"id": "a"}, "lamps": [{"id": "b"}]}"#
        let room = try JSONDecoder().decode(Room.self, from: Data(json.utf8))
        #expect(room.$lamp.isId && room.$lamps.ids == ["b"] && room.lamps == nil)
        let mixed = #"{"id": "1", "rooms": [{"id": "1"}, {"id": "2", "name": "Attic"}]}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(House.self, from: Data(mixed.utf8)) }
    }

    @Test func nilIsFree_andUniqueValuesAreComparedAtTheEndOfAList() throws {
        try [Room(id: "1", name: "Attic", number: 1), Room(id: "2", name: "Hall", number: 2)].save(to: store)
        try [Room(id: "3", name: "Bath"), Room(id: "4", name: "Loft")].save(to: store)
        try [Room(id: "1", name: "Attic", number: 2), Room(id: "2", name: "Hall", number: 1)].save(to: store)
        #expect(try Room.query().select(\.number).resolve(in: store) == [2, 1, nil, nil])
    }

    @Test func emptyArraysAndRelations_areNotNil() {
        let appended = MergeStrategy<Lamp>.append(\.tags).merge(Lamp(id: "a", tags: []), new: Lamp(id: "a"))
        #expect(appended.tags == [])
        #expect(Room(id: "1", name: "Attic").$lamps.ids == [])
    }

    @Test func aDeletedEntityWithoutLinks_isRestoredWithUnsetRelations() throws {
        try Room(id: "1", name: "Attic").save(to: store)
        try Room.delete(id: "1", from: store)
        let deleted = try #require(try Deleted<Room>.query("1").resolve(in: store))
        #expect(deleted.entity.$lamp.isNone && deleted.entity.$lamps.isNone)
    }

    @Test func timesAreKeptOnRequest() throws {
        try Room(id: "1", name: "Attic").save(to: store)
        #expect(throws: StoreError.self) {
            try Room.filter(.updated(within: Date.distantPast...Date.distantFuture)).count(in: store)
        }
    }

    @Test func stringsAreEqual_ifTheirBytesAre() throws {
        try Lamp(id: "a", color: "\u{E9}bène").save(to: store)
        #expect(try Lamp.filter(\.color == "e\u{301}bène").count(in: store) == 0)
        #expect(try Lamp.filter(.string(\.color, hasPrefix: "\u{E9}")).count(in: store) == 1)
    }
}
