// Setting, appending and removing relations by the projected values of their properties.

import Testing
import Trove
import TroveSpellings

@Suite("Coming from SwiftletModel: establishing relations")
struct EstablishingRelationsTests {
    private let store: Store
    private var entry = Entry(id: "3", text: "Good morning")

    init() throws {
        store = try Store.temporary(records: [Trek.self])
        try Trek.ridge.save(to: store)
    }

    // MARK: To-one

    @Test mutating func anEntity_isSetAndSaved() throws {
        entry.$author = .relation(.ravi)
        try entry.save(to: store)
        #expect(try entry.links(\.$author, in: store) == ["ravi"])
        #expect(try store.get(Climber.self, key: "ravi") == .ravi)
    }

    @Test mutating func anID_isSet_andItsEntitySavedLater() throws {
        entry.$author = .id("ravi")
        try entry.save(to: store)
        #expect(try store.get(Climber.self, key: "ravi") == nil)
        try Climber.ravi.save(to: store)
        #expect(try entry.links(\.$author, in: store) == ["ravi"])
    }

    @Test func anotherOwner_takesAToOneTarget_outOfTheFormerList() throws {
        try Trek(id: "glacier", entries: .ids(["1"])).save(to: store)
        #expect(try Trek(id: "glacier").links(\.$entries, in: store) == ["1"])
        #expect(try Trek.ridge.links(\.$entries, in: store) == ["2"])
        var first = Entry(id: "1", text: "Fog until noon")
        first.$trek = .id("ridge")
        try first.save(to: store)
        #expect(try Trek(id: "glacier").links(\.$entries, in: store) == [])
        #expect(try Trek.ridge.links(\.$entries, in: store) == ["2", "1"])
    }

    @Test func null_removesTheLink_andKeepsTheEntity() throws {
        var second = Entry(id: "2", text: "The rope is at the hut")
        second.$photo = .null
        try second.save(to: store)
        #expect(try second.links(\.$photo, in: store) == [])
        #expect(try Photo(id: "hut", file: "").links(\.$entry, in: store) == [])
        #expect(try Photo.query().count(in: store) == 1)
    }

    @Test func none_changesNothing() throws {
        var second = Entry(id: "2", text: "The rope is at the hut", photo: .null)
        second.$photo = .none
        try second.save(to: store)
        #expect(try second.links(\.$photo, in: store) == ["hut"])
    }

    // MARK: To-many

    @Test func entities_replaceTheList_inTheirOrder() throws {
        var trek = Trek(id: "ridge")
        trek.$entries = .relation([entry, Entry(id: "1", text: "Fog until ten")])
        try trek.save(to: store)
        #expect(try trek.links(\.$entries, in: store) == ["3", "1"])
        #expect(try Entry(id: "2", text: "").links(\.$trek, in: store) == [])
        #expect(try store.get(Entry.self, key: "1")?.text == "Fog until ten")
    }

    @Test func ids_replaceTheList_andTheirEntitiesAreSavedSeparately() throws {
        var trek = Trek(id: "ridge")
        trek.$entries = .ids([entry.id])
        try trek.save(to: store)
        try entry.save(to: store)
        #expect(try trek.links(\.$entries, in: store) == ["3"])
        #expect(try entry.links(\.$trek, in: store) == ["ridge"])
    }

    @Test func entities_areAppended() throws {
        var trek = Trek(id: "ridge")
        trek.$entries = .appending(relation: [entry])
        try trek.save(to: store)
        #expect(try trek.links(\.$entries, in: store) == ["1", "2", "3"])
    }

    @Test func ids_areAppended_andLinkedEntitiesStayInTheirPlace() throws {
        var trek = Trek(id: "ridge")
        trek.$entries = .appending(ids: [entry.id, "1"])
        try trek.save(to: store)
        try entry.save(to: store)
        #expect(try trek.links(\.$entries, in: store) == ["1", "2", "3"])
    }

    // MARK: Saving a relation

    @Test mutating func aRelation_isSavedWithoutItsOwner() throws {
        let trek = Trek(id: "glacier", climbers: .relation([.ravi]))
        try trek.save(\.$climbers, inverse: \.$treks, to: store)
        #expect(try store.get(Trek.self, key: "glacier") == nil)
        #expect(try Climber.ravi.links(\.$treks, in: store) == ["glacier"])
        entry.$readBy = .ids(["ines", "ravi"])
        try entry.save(\.$readBy, to: store)
        #expect(try entry.links(\.$readBy, in: store) == ["ines", "ravi"])
    }

    // MARK: Removing

    @Test func detach_removesTheLinks_andKeepsTheEntities() throws {
        try Climber.tomo.detach(\.$treks, inverse: \.$climbers, in: store)
        #expect(try Trek.ridge.links(\.$climbers, in: store) == ["ines"])
        try Entry(id: "1", text: "").detach(\.$author, in: store)
        #expect(try Entry(id: "1", text: "").links(\.$author, in: store) == [])
        try Trek.ridge.detach(["2"], relation: \.$entries, inverse: \.$trek, in: store)
        #expect(try Trek.ridge.links(\.$entries, in: store) == ["1"])
        #expect(try Entry.query().count(in: store) == 2)
    }

    @Test func delete_ofARelation_deletesItsEntities() throws {
        try Entry(id: "2", text: "").delete(\.$photo, inverse: \.$entry, from: store)
        #expect(try Photo.query().count(in: store) == 0)
        try Trek.ridge.delete(["1"], relation: \.$entries, inverse: \.$trek, from: store)
        #expect(try Entry.query().keys(in: store) == ["2"])
        try Entry(id: "2", text: "").delete(\.$readBy, from: store)
        #expect(try Climber.query().keys(in: store) == ["tomo"])
    }
}
