// The rules of a save against the record that the edits began with: every combination of edits, commits of others and
// rules, and random steps beside a plain model. Whether the object has followed a commit before the save must not
// matter.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

/// A rule of a save, without its closure.
private enum RuleKind: CaseIterable {
    case merge, mine, theirs, `throw`, custom
}

/// What a closure of the rule `custom` was called with.
private struct CustomCall: Equatable {
    let base: Traveler
    let mine: Traveler
    let theirs: Traveler?
}

/// What a save has done.
private struct SaveEnd: Equatable {
    var stored: Traveler?
    var error: StoreError?
    var call: CustomCall?
}

/// A property of an edited record, as the page on live objects describes it.
private struct EditedProperty<Value: Equatable> {
    /// The stored value that the object has seen last.
    var seen: Value
    /// The value that the object shows.
    var shown: Value
    /// The stored value when its edit began; without an edit, when the first edit of the record began.
    var began: Value

    init(_ value: Value) { (seen, shown, began) = (value, value, value) }

    var isEdited: Bool { shown != seen }

    mutating func edit(_ value: Value) {
        let wasEdited = isEdited
        shown = value
        if isEdited != wasEdited { began = seen }
    }

    mutating func follow(_ stored: Value) {
        if !isEdited { shown = stored } else if shown == stored { began = stored }
        seen = stored
    }
}

/// A record with edits, and what is stored.
private struct EditedTraveler {
    var name = EditedProperty("Ruby")
    var age = EditedProperty(30)
    var stored: Traveler? = Traveler(id: 1)
    /// Whether the object has seen that the record was deleted.
    var isDeleted = false

    static func traveler(_ name: String, _ age: Int) -> Traveler { Traveler(id: 1, name: name, age: age) }

    var shown: Traveler { Self.traveler(name.shown, age.shown) }
    var began: Traveler { Self.traveler(name.began, age.began) }
    /// The edits on the record that they began with.
    var mine: Traveler {
        Self.traveler(name.isEdited ? name.shown : name.began, age.isEdited ? age.shown : age.began)
    }
    var isEdited: Bool { name.isEdited || age.isEdited }

    mutating func edit(_ name: String?, _ age: Int?) {
        if let name { self.name.edit(name) }
        if let age { self.age.edit(age) }
        endWithoutEdits()
    }

    mutating func follow() {
        isDeleted = stored == nil
        guard let stored else { return }
        name.follow(stored.name)
        age.follow(stored.age)
        endWithoutEdits()
    }

    private mutating func endWithoutEdits() {
        if !isEdited { (name.began, age.began) = (name.seen, age.seen) }
    }

    /// Shows what is stored, after a save or a revert.
    private mutating func showStored() {
        (name, age) = (EditedProperty(stored?.name ?? name.seen), EditedProperty(stored?.age ?? age.seen))
        isDeleted = stored == nil
    }

    mutating func revert() { (name, age) = (EditedProperty(name.seen), EditedProperty(age.seen)) }

    /// Saves by a rule. An error changes nothing.
    mutating func save(_ rule: RuleKind) -> SaveEnd {
        guard isEdited || isDeleted else { return SaveEnd(stored: stored) }
        var followed = self
        followed.follow()
        let end = followed.end(rule)
        if end.error == nil {
            stored = end.stored
            showStored()
        }
        return end
    }

    /// Returns what a save does that has followed the stored record.
    private func end(_ rule: RuleKind) -> SaveEnd {
        let key = Traveler.schema.storedKey(KeyWriter.bytes(of: 1))
        let changed = ["name", "age"].filter { property in
            property == "name" ? name.began != stored?.name : age.began != stored?.age
        }
        var end = SaveEnd(stored: stored)
        guard isEdited || isDeleted else { return end }
        switch rule {
        case .merge where isDeleted, .throw where isDeleted: end.error = .live(.recordGone(type: "Traveler", key: key))
        case .theirs where changed.isEmpty, .throw where changed.isEmpty, .custom where changed.isEmpty, .merge:
            end.stored = shown
        case .mine: end.stored = mine
        case .theirs: break
        case .throw: end.error = .live(.changedElsewhere(type: "Traveler", key: key, properties: changed))
        case .custom:
            end.call = CustomCall(base: began, mine: mine, theirs: stored)
            end.stored = Self.traveler("resolved", mine.age + 1000)
        }
        return end
    }
}

/// A live object, and the model of it. The rounds deliver to the main actor, on which a test runs: so the object
/// follows only where the test says so.
@MainActor private struct EditedObject {
    let store: Store
    let traveler: Live<Traveler>
    var model = EditedTraveler()

    init() throws {
        store = try Store.live()
        store.live.delivery = MainActor.shared
        traveler = try Traveler.create(Traveler(id: 1), in: store)
    }

    mutating func edit(_ name: String?, _ age: Int?) {
        if let name { traveler.name = name }
        if let age { traveler.age = age }
        model.edit(name, age)
    }

    mutating func write(_ record: Traveler?) throws {
        if let record { try store.write(record) } else { try store.delete(Traveler.self, key: 1) }
        model.stored = record
    }

    mutating func follow() throws {
        try traveler.refresh()
        model.follow()
    }

    mutating func revert() {
        traveler.revert()
        model.revert()
    }

    /// Saves by a rule, alone or in a transaction, and returns what it has done.
    func save(_ rule: RuleKind, inContext: Bool) throws -> SaveEnd {
        let call = Monitor<CustomCall?>(nil)
        let rules: [RuleKind: EditConflictRule<Traveler>] = [
            .merge: .merge, .mine: .mine, .theirs: .theirs, .throw: .throw,
            .custom: .custom { base, mine, theirs in
                call.withLock { $0 = CustomCall(base: base, mine: mine, theirs: theirs) }
                return Traveler(id: 1, name: "resolved", age: mine.age + 1000)
            },
        ]
        var end = SaveEnd()
        do {
            if inContext {
                try store.write { try traveler.save(resolving: rules[rule], in: $0) }
            } else {
                try traveler.save(resolving: rules[rule])
            }
        } catch let error as StoreError {
            end.error = error
        }
        (end.stored, end.call) = (try store.stored(1), call.withLock { $0 })
        return end
    }
}

@Suite("Conflicts of edits", .hangLimit) struct EditConflictTests {
    /// What comes between the commit of others and the save.
    private enum Between: CaseIterable {
        case nothing, refresh, settle
    }

    /// All combinations of two edited properties, what others have stored, rules and forms of a save.
    @MainActor @Test func aSave_comparesWithWhatTheEditsBeganWith() async throws {
        var choices: [(edits: Int, theirs: (name: String?, age: Int?)?)] = []
        for edits in 1...3 {
            choices.append((edits, nil))
            for name in [nil, "mine", "theirs"] {
                for age in [nil, 1, 2] { choices.append((edits, (name, age))) }
            }
        }
        for (edits, theirs) in choices {
            for rule in RuleKind.allCases {
                for inContext in [false, true] {
                    var ends: [SaveEnd] = []
                    for between in Between.allCases {
                        var object = try EditedObject()
                        object.edit(edits & 1 > 0 ? "mine" : nil, edits & 2 > 0 ? 1 : nil)
                        try object.write(theirs.map { Traveler(id: 1, name: $0.name ?? "Ruby", age: $0.age ?? 30) })
                        switch between {
                        case .nothing: break
                        case .refresh: try object.follow()
                        case .settle:
                            await object.store.live.settle()
                            object.model.follow()
                        }
                        #expect(object.traveler.value == object.model.shown)
                        let end = try object.save(rule, inContext: inContext)
                        let expected = object.model.save(rule)
                        let comment: Comment = "\(edits) \(String(describing: theirs)) \(rule) \(between)"
                        #expect(end == expected, comment)
                        ends.append(end)
                    }
                    #expect(ends.allSatisfy { $0 == ends[0] }, "\(edits) \(String(describing: theirs)) \(rule)")
                }
            }
        }
    }

    @MainActor @Test func randomSteps_leaveWhatTheRulesSay() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for run in 0..<(hasSanitizer ? 5 : 30) {
            var object = try EditedObject()
            for step in 0..<60 {
                let comment: Comment = "run \(run), step \(step), TROVE_TEST_SEED=\(seed)"
                switch Int.random(in: 0..<10, using: &generator) {
                case 0...2: object.edit(["Ruby", "Zorg", "Mondo"].randomElement(using: &generator), nil)
                case 3...4: object.edit(nil, Int.random(in: 28...31, using: &generator))
                case 5: try object.follow()
                case 6...7:
                    let isDeleted = Int.random(in: 0..<5, using: &generator) == 0
                    let name = ["Ruby", "Zorg", "Plava"].randomElement(using: &generator) ?? ""
                    let age = Int.random(in: 28...31, using: &generator)
                    try object.write(isDeleted ? nil : Traveler(id: 1, name: name, age: age))
                case 8: object.revert()
                default:
                    guard let rule = RuleKind.allCases.randomElement(using: &generator) else { continue }
                    let end = try object.save(rule, inContext: Bool.random(using: &generator))
                    let expected = object.model.save(rule)
                    try #require(end == expected, comment)
                }
                try #require(object.traveler.value == object.model.shown, comment)
                try #require(object.traveler.hasChanges == object.model.isEdited, comment)
            }
        }
    }

    /// A form that was open while others have changed the record again and again.
    @Test func anObjectThatHasFollowed_stillKnowsWhatItsEditsBeganWith() async throws {
        let store = try Store.live()
        let traveler = try await Traveler.create(Traveler(id: 1), in: store)
        traveler.name = "mine"
        for age in 31...33 {
            try await store.insert(Traveler(id: 1, name: "theirs", age: age))
            await store.live.settle()
        }
        #expect(traveler.name == "mine" && traveler.age == 33)
        let key = Traveler.schema.storedKey(KeyWriter.bytes(of: 1))
        let error = StoreError.live(.changedElsewhere(type: "Traveler", key: key, properties: ["name", "age"]))
        await #expect(throws: error) { try await traveler.save(resolving: .throw) }
        // Edited after the object had followed: it is an edit of the newer age.
        traveler.age = 50
        let other = StoreError.live(.changedElsewhere(type: "Traveler", key: key, properties: ["name"]))
        await #expect(throws: other) { try await traveler.save(resolving: .throw) }
        try await traveler.save(resolving: .theirs)
        #expect(traveler.value == Traveler(id: 1, name: "theirs", age: 33) && !traveler.hasChanges)
        // The next edits begin with what is stored now.
        traveler.name = "again"
        try await traveler.save(resolving: .throw)
        #expect(try await store.get(Traveler.self, key: 1) == Traveler(id: 1, name: "again", age: 33))
    }

    /// A save that fails leaves the edits, and what they began with.
    @MainActor @Test func afterASaveThatIsUndone_theEditsAreStillBasedOnTheOlderRecord() throws {
        let store = try Store.temporary(records: [Sailor.self, Traveler.self])
        store.live.delivery = MainActor.shared
        try store.insert(Sailor(id: 2, email: "taken"))
        let sailor = try Sailor.create(Sailor(id: 1, email: "a"), in: store)
        sailor.email = "taken"
        try store.insert(Sailor(id: 1, email: "theirs"))
        try sailor.refresh()
        #expect(throws: StoreError.self) { try sailor.save() }
        #expect(sailor.hasChanges && sailor.email == "taken")
        #expect {
            try sailor.save(resolving: .throw)
        } throws: { error in
            if case StoreError.live(.changedElsewhere(_, _, ["email"])) = error { true } else { false }
        }
        sailor.revert()
        sailor.email = "b"
        try sailor.save(resolving: .throw)
        #expect(try store.get(Sailor.self, key: 1)?.email == "b")
    }
}
