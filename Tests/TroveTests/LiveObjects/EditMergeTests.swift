// The rules for records that were changed elsewhere since they were edited.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Edits and changes elsewhere") struct EditMergeTests {
    private let store: Store
    private let key = StoredKey(1, of: Traveler.self)

    init() throws { store = try Store.live() }

    /// The properties, each with a change for both sides.
    private static let mine: [@Sendable (inout Traveler) -> Void] = [
        { $0.name = "mine" }, { $0.age = -1 }, { $0.nick = nil }, { $0.quarters = Quarters(city: "mine", number: 1) },
        { $0.notes = Array(repeating: "mine", count: 300) },
    ]
    private static let theirs: [@Sendable (inout Traveler) -> Void] = [
        { $0.name = "" }, { $0.age = .max }, { $0.nick = "theirs" }, { $0.quarters.number = nil }, { $0.notes = [] },
    ]

    private static let base = Traveler(
        id: 1, name: "base", age: 7, nick: "base", quarters: Quarters(city: "base", number: 7), notes: ["base"])

    private static func changed(_ traveler: Traveler, _ choice: Int, by changes: [@Sendable (inout Traveler) -> Void])
        -> Traveler
    {
        var traveler = traveler
        for (index, change) in changes.enumerated() where choice >> index & 1 == 1 { change(&traveler) }
        return traveler
    }

    @Test func everyChoiceOfProperties_isMerged() throws {
        let traveler = try Traveler.create(Self.base, in: store)
        for mine in 0..<32 {
            for theirs in 0..<32 {
                let other = Self.changed(Self.base, theirs, by: Self.theirs)
                let expected = Self.changed(other, mine, by: Self.mine)
                // By a save that finds the change.
                traveler.value = Self.changed(Self.base, mine, by: Self.mine)
                try store.write { context in
                    try context.insert(other)
                    try traveler.save(in: context)
                }
                if mine == 0 { try traveler.refresh() }
                #expect(traveler.value == expected && !traveler.hasChanges, "save \(mine) \(theirs)")
                #expect(try store.stored(1) == expected, "save \(mine) \(theirs)")
                traveler.value = Self.base
                try traveler.save()
                // By a refresh.
                traveler.value = Self.changed(Self.base, mine, by: Self.mine)
                try store.insert(other)
                try traveler.refresh()
                #expect(traveler.value == expected, "refresh \(mine) \(theirs)")
                #expect(traveler.hasChanges == (expected != other), "refresh \(mine) \(theirs)")
                traveler.value = Self.base
                try traveler.save()
            }
        }
    }

    @Test func theDifference_isOfTheChangedProperties() throws {
        let merge = EditMerge(Traveler.schema)
        for choice in 0..<32 {
            let (old, new) = (Self.base, Self.changed(Self.base, choice, by: Self.mine))
            let parts = merge.difference(try old.encodedValue(), try new.encodedValue())
            var expected: LiveParts = []
            for index in 0..<5 where choice >> index & 1 == 1 { expected.insert(.field(index)) }
            #expect(parts == expected)
            let names = merge.changedNames(from: try old.encodedValue(), to: try new.encodedValue())
            let all = ["name", "age", "nick", "quarters", "notes"]
            #expect(names == all.indices.filter { choice >> $0 & 1 == 1 }.map { all[$0] })
        }
    }

    @Test func mine_storesTheWholeObject() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        traveler.age = 1
        try store.write { context in
            try context.insert(Traveler(id: 1, name: "elsewhere"))
            try traveler.save(resolving: .mine, in: context)
        }
        #expect(try store.stored(1) == Traveler(id: 1, age: 1))
        #expect(traveler.value == Traveler(id: 1, age: 1) && !traveler.hasChanges)
    }

    @Test func theirs_givesTheEditsUp() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        traveler.age = 1
        try store.write { context in
            try context.insert(Traveler(id: 1, name: "elsewhere"))
            try traveler.save(resolving: .theirs, in: context)
        }
        #expect(try store.stored(1) == Traveler(id: 1, name: "elsewhere"))
        #expect(traveler.value == Traveler(id: 1, name: "elsewhere") && !traveler.hasChanges)
    }

    @Test func throwing_namesTheProperties() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        traveler.age = 1
        let error = StoreError.live(.changedElsewhere(type: "Traveler", key: key, properties: ["name", "notes"]))
        try store.write { context in
            try context.insert(Traveler(id: 1, name: "elsewhere", notes: ["x"]))
            #expect(throws: error) { try traveler.save(resolving: .throw, in: context) }
        }
        #expect(traveler.age == 1 && traveler.hasChanges)
    }

    @Test func custom_seesAllThree() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        traveler.age = 1
        try store.write { context in
            try context.insert(Traveler(id: 1, name: "elsewhere"))
            let rule = EditConflictRule<Traveler>.custom { base, mine, theirs in
                #expect(base == Traveler(id: 1) && mine == Traveler(id: 1, age: 1))
                #expect(theirs == Traveler(id: 1, name: "elsewhere"))
                return Traveler(id: 1, name: "resolved")
            }
            try traveler.save(resolving: rule, in: context)
        }
        #expect(traveler.name == "resolved" && !traveler.hasChanges)
        traveler.age = 2
        try store.write { context in
            try context.delete(Traveler.self, key: 1)
            try traveler.save(resolving: .custom { _, _, theirs in theirs }, in: context)
        }
        #expect(traveler.isDeleted)
        #expect(try store.stored(1) == nil)
    }

    @Test func customWithAnotherKey_throws() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        traveler.age = 1
        try store.write { context in
            try context.insert(Traveler(id: 1, name: "elsewhere"))
            #expect(throws: StoreError.record(.keyChanged(type: "Traveler", key: key))) {
                try traveler.save(resolving: .custom { _, _, _ in Traveler(id: 2) }, in: context)
            }
        }
        #expect(traveler.hasChanges)
    }

    @Test func aDeletedRecord_isStoredByMineAlone() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        for rule in [nil, EditConflictRule<Traveler>.merge, .throw] {
            traveler.age += 1
            try store.delete(Traveler.self, key: 1)
            #expect(throws: StoreError.live(.recordGone(type: "Traveler", key: key))) {
                try traveler.save(resolving: rule)
            }
            #expect(traveler.hasChanges)
            try store.live.refresh()
            #expect(traveler.isDeleted && traveler.hasChanges)
            #expect(throws: StoreError.live(.recordGone(type: "Traveler", key: key))) {
                try traveler.save(resolving: rule)
            }
            try traveler.save(resolving: .mine)
            #expect(!traveler.isDeleted && !traveler.hasChanges)
            #expect(try store.stored(1) == traveler.value)
        }
        traveler.age = 0
        try store.delete(Traveler.self, key: 1)
        try traveler.save(resolving: .theirs)
        #expect(traveler.isDeleted && !traveler.hasChanges && traveler.age == 33)
    }

    @Test func aRecordThatComesBack_isMerged() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        traveler.age = 1
        try store.delete(Traveler.self, key: 1)
        try store.live.refresh()
        #expect(traveler.isDeleted)
        try store.write(Traveler(id: 1, name: "back"))
        try store.live.refresh()
        #expect(!traveler.isDeleted && traveler.name == "back" && traveler.age == 1 && traveler.hasChanges)
    }

    @Test func equalEditsOnBothSides_areNoChange() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        traveler.name = "same"
        try store.write(Traveler(id: 1, name: "same"))
        try store.live.refresh()
        #expect(!traveler.hasChanges)
        #expect(store.live.unsavedCount == 0)
    }

    @Test func twoChangesAtOnce_areMerged() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        traveler.change { copy in
            copy.name = "outer"
            copy.age += 1
            traveler.notes = ["inner"]
            traveler.age = 100
        }
        #expect(traveler.name == "outer" && traveler.notes == ["inner"] && traveler.age == 31)
    }

    @Test func editsMadeDuringASave_stayEdits() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        traveler.name = "saved"
        try store.write { context in
            try traveler.save(in: context)
            traveler.age = 5
            traveler.name = "Ruby"
        }
        #expect(traveler.hasChanges && traveler.age == 5 && traveler.name == "Ruby")
        #expect(try store.stored(1) == Traveler(id: 1, name: "saved"))
        try store.live.refresh()
        #expect(traveler.name == "Ruby" && traveler.age == 5)
        try traveler.save()
        #expect(try store.stored(1) == Traveler(id: 1, age: 5))
    }
}
