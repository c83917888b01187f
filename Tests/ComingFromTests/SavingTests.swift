// Saving a graph, an entity of it again, and a fragment.

import Testing
import Trove
import TroveSpellings

@Suite("Coming from SwiftletModel: saving")
struct SavingTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Trek.self]) }

    @Test func aGraph_isSavedByItsRoot() throws {
        try Trek.ridge.save(to: store)
        #expect(try Climber.query().resolve(in: store) == [.ines, .tomo])
        #expect(try Entry.query().count(in: store) == 2)
        #expect(try store.get(Photo.self, key: "hut")?.file == "hut.png")
    }

    @Test func ids_areEnoughForALink() throws {
        try Trek.ridge.save(to: store)
        #expect(try Trek.ridge.links(\.$leaders, in: store) == ["ines"])
        #expect(try Climber.ines.links(\.$leaderOf, in: store) == ["ridge"])
        #expect(try Entry(id: "1", text: "").links(\.$author, in: store) == ["ines"])
    }

    @Test func links_areThereFromBothEnds() throws {
        try Trek.ridge.save(to: store)
        #expect(try Trek.ridge.links(\.$climbers, in: store) == ["ines", "tomo"])
        #expect(try Climber.tomo.links(\.$treks, in: store) == ["ridge"])
        #expect(try Trek.ridge.links(\.$entries, in: store) == ["1", "2"])
        #expect(try Entry(id: "2", text: "").links(\.$trek, in: store) == ["ridge"])
        #expect(try Entry(id: "1", text: "").links(\.$answers, in: store) == ["2"])
    }

    @Test func entities_areStoredWithoutTheirRelations_andOnce() throws {
        try Trek.ridge.save(to: store)
        try Trek(id: "glacier", climbers: .relation([.ines])).save(to: store)
        #expect(try store.get(Trek.self, key: "ridge") == Trek(id: "ridge"))
        #expect(try Climber.query().count(in: store) == 2)
        #expect(try Climber.ines.links(\.$treks, in: store) == ["ridge", "glacier"])
    }

    @Test func aTransaction_savesMany() throws {
        try store.write { context in
            try Trek.ridge.save(to: context)
            try [Climber.ravi, .tomo].save(to: context)
        }
        #expect(try Climber.query().keys(in: store) == ["ines", "ravi", "tomo"])
    }

    @Test func aFragment_patchesWhatIsStored() throws {
        try Climber.ines.save(to: store)
        try Climber("Inês", id: "ines").save(to: store, options: .fragment)
        let stored = try #require(try store.get(Climber.self, key: "ines"))
        #expect(stored.name == "Inês" && stored.biography == Climber.ines.biography)
        try Climber("Inês", id: "ines").save(to: store)
        #expect(try store.get(Climber.self, key: "ines")?.biography == nil)
    }

    @Test func anAsyncSave_isTheSame() async throws {
        try await Trek.ridge.save(to: store)
        #expect(try await store.get(Photo.self, key: "hut")?.file == "hut.png")
    }
}
