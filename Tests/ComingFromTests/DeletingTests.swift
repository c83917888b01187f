// Deleting an entity, by the rules of its relations.

import Testing
import Trove
import TroveSpellings

@Suite("Coming from SwiftletModel: deleting")
struct DeletingTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Trek.self])
        try Trek.ridge.save(to: store)
    }

    @Test func anEntity_isDeletedByItsID() throws {
        let trek = Trek(id: "ridge")
        try trek.delete(from: store)
        #expect(try Trek.query().count(in: store) == 0)
        #expect(try !Trek.delete(id: "ridge", from: store))
    }

    @Test func nullify_isTheDefault_andKeepsTheOthers() throws {
        try Trek(id: "ridge").delete(from: store)
        #expect(try Climber.query().count(in: store) == 2)
        #expect(try Entry.query().count(in: store) == 2)
        #expect(try Climber.ines.links(\.$treks, in: store) == [])
        // A required relation is not checked: the entry stays without its trek.
        #expect(try Entry(id: "1", text: "").links(\.$trek, in: store) == [])
    }

    @Test func cascade_deletesTheOthersToo() throws {
        try Entry(id: "2", text: "").delete(from: store)
        #expect(try Photo.query().count(in: store) == 0)
        #expect(try Trek.ridge.links(\.$entries, in: store) == ["1"])
    }

    @Test func oneWayLinks_toADeletedEntity_goToo() throws {
        try Climber.ines.delete(from: store)
        #expect(try Entry(id: "1", text: "").links(\.$author, in: store) == [])
        // Saved again, the climber is no author or reader.
        try Climber.ines.save(to: store)
        #expect(try Entry(id: "1", text: "").links(\.$author, in: store) == [])
        #expect(try Entry(id: "2", text: "").links(\.$readBy, in: store) == [])
    }
}
