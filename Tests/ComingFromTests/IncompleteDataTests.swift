// Entities, related entities, lists and links that arrive in parts.

import Foundation
import Testing
import Trove
import TroveSpellings

/// A climber whose parts arrive separately.
@EntityModel
private struct Profile: Equatable {
    let id: String
    var name: String?
    var motto: String?
    var badges: [String] = []
    var modified: Int = 0
}

extension MergeStrategy {
    /// A strategy of one's own: the existing text stays unless the new text is longer.
    fileprivate static func longest(_ property: WritableKeyPath<Value, String?> & Sendable) -> Self {
        MergeStrategy { old, new in
            var new = new
            if (old[keyPath: property]?.count ?? 0) > (new[keyPath: property]?.count ?? 0) {
                new[keyPath: property] = old[keyPath: property]
            }
            return new
        }
    }
}

@Suite("Coming from SwiftletModel: incomplete data")
struct IncompleteDataTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Trek.self, Profile.self])
        try Trek.ridge.save(to: store)
    }

    // MARK: Incomplete entities

    @Test func theDefault_replacesAllProperties() throws {
        try Climber("Ines", id: "ines", portrait: Climber.Portrait(file: "i.png")).save(to: store)
        let stored = try #require(try store.get(Climber.self, key: "ines"))
        #expect(stored.portrait?.file == "i.png" && stored.biography == nil)
    }

    @Test func aFragment_keepsWhatItDoesNotHave() throws {
        try Climber("Ines", id: "ines", portrait: Climber.Portrait(file: "i.png")).save(to: store, options: .fragment)
        let stored = try #require(try store.get(Climber.self, key: "ines"))
        #expect(stored.portrait?.file == "i.png" && stored.biography?.summits == ["Olan"])
    }

    @Test func strategies_ofSeveralProperties_areComposed() throws {
        let strategy = MergeStrategy<Profile>(.patch(\.name), .append(\.badges))
        try Profile(id: "1", name: "Ines", motto: "Slowly", badges: ["ice"]).save(to: store)
        try Profile(id: "1", badges: ["rock"]).save(to: store, options: strategy)
        #expect(
            try store.get(Profile.self, key: "1") == Profile(id: "1", name: "Ines", badges: ["ice", "rock"]))
    }

    @Test func aStrategyOfYourOwn_isAClosure() throws {
        try Profile(id: "1", motto: "Slowly, but up").save(to: store)
        try Profile(id: "1", motto: "Slowly").save(to: store, options: .longest(\.motto))
        #expect(try store.get(Profile.self, key: "1")?.motto == "Slowly, but up")
    }

    @Test func theLaterValue_winsWhateverComesFirst() throws {
        let later = MergeStrategy<Profile>.lastWriteWins(.patch(\.motto), comparedBy: \.modified)
        try Profile(id: "1", name: "Ines", modified: 7).save(to: store)
        try Profile(id: "1", name: "Inês", motto: "Slowly", modified: 5).save(to: store, options: later)
        #expect(
            try store.get(Profile.self, key: "1") == Profile(id: "1", name: "Ines", motto: "Slowly", modified: 7))
    }

    // MARK: Incomplete related entities

    @Test func relatedFragments_patchTheirEntities() throws {
        var trek = Trek(id: "glacier")
        trek.$climbers = .fragment([Climber("Inês", id: "ines"), .tomo, .ravi])
        try trek.save(to: store)
        let ines = try #require(try store.get(Climber.self, key: "ines"))
        #expect(ines.name == "Inês" && ines.biography == Climber.ines.biography)
        #expect(try trek.links(\.$climbers, in: store) == ["ines", "tomo", "ravi"])
    }

    @Test func aRelatedEntity_withoutTheMark_replacesItsEntity() throws {
        try Trek(id: "glacier", climbers: .relation([Climber("Inês", id: "ines")])).save(to: store)
        #expect(try store.get(Climber.self, key: "ines")?.biography == nil)
    }

    // MARK: Incomplete lists

    @Test func pages_areAppended() throws {
        let third = Entry(id: "3", text: "Snow")
        var trek = Trek(id: "ridge")
        trek.$entries = .appending(relation: [third])
        try trek.save(to: store)
        trek.$entries = .appending(ids: ["4"])
        try trek.save(to: store)
        trek.$entries = .appending(fragment: [Entry(id: "2", text: "The rope is here")])
        try trek.save(to: store)
        #expect(try trek.links(\.$entries, in: store) == ["1", "2", "3", "4"])
        #expect(try store.get(Entry.self, key: "2")?.text == "The rope is here")
    }

    // MARK: Missing links

    @Test func anUnsetRelation_keepsItsLinks_andNullRemovesThem() throws {
        let unset = Entry(id: "2", text: "The rope is gone", author: .id("ines"))
        try unset.save(to: store)
        #expect(try unset.links(\.$photo, in: store) == ["hut"])
        #expect(try unset.links(\.$trek, in: store) == ["ridge"])
        #expect(try unset.links(\.$author, in: store) == ["ines"])
        try Entry(id: "2", text: "The rope is gone", photo: .null).save(to: store)
        #expect(try unset.links(\.$photo, in: store) == [])
        #expect(try unset.links(\.$trek, in: store) == ["ridge"])
    }

    @Test func incompleteJSON_removesNothing() throws {
        let json = #"{"id": "2", "text": "The rope is gone", "author": {"id": "ines"}, "photo": null}"#
        let entry = try JSONDecoder().decode(Entry.self, from: Data(json.utf8))
        #expect(entry.$photo.isNone && entry.$trek.isNone)
        try entry.save(to: store)
        #expect(try entry.links(\.$photo, in: store) == ["hut"])
        #expect(try entry.links(\.$author, in: store) == ["ines"])
    }
}
