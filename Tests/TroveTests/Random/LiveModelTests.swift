// Random edits, saves, rollbacks and writes of others, on live objects and on a plain model, which must agree.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Live objects and a model") struct LiveModelTests {
    @Test func randomSteps_leaveWhatTheModelHolds() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<20 {
            var run = try LiveModel()
            for step in 0..<120 {
                try run.step(using: &generator)
                let difference = try run.difference()
                try #require(difference == nil, "after step \(step), TROVE_TEST_SEED=\(seed)")
            }
        }
    }

    /// The properties that each thread edits are its own, so the end is known.
    @Test func threads_loseNoEdit() throws {
        let store = try Store.live()
        let travelers = try (0..<8).map { try Traveler.create(Traveler(id: $0, age: 0), in: store) }
        let rounds = hasSanitizer ? 60 : 300
        func thread(_ body: @escaping @Sendable (Live<Traveler>, Int) throws -> Void) -> RunningThread<Void> {
            RunningThread { for turn in 1...rounds { for traveler in travelers { try body(traveler, turn) } } }
        }
        let threads = [
            thread { traveler, turn in traveler.change { $0.age += 1 } },
            thread { traveler, turn in
                traveler.name = "\(turn)"
                if turn % 16 == 0 { try traveler.save() }
            },
            thread { traveler, turn in
                // Another writer, which changes a property of its own in the stored record.
                try? store.write { context in
                    guard var stored = try context.get(Traveler.self, key: traveler.key) else { return }
                    stored.notes = ["\(turn)"]
                    try context.insert(stored)
                    if turn % 5 == 0 { throw Stop() }
                }
            },
            thread { traveler, turn in
                if turn % 20 == 0 { try store.live.saveAllChanges() }
                if turn % 30 == 0 { try traveler.refresh() }
            },
        ]
        for thread in threads { try thread.value() }
        try store.live.saveAllChanges()
        try store.live.refresh()
        for traveler in travelers {
            #expect(traveler.age == rounds && traveler.name == "\(rounds)")
            #expect(try traveler.value == store.stored(traveler.key))
            #expect(!traveler.hasChanges)
        }
    }
}

/// Three records with live objects, and what these should show.
private struct LiveModel {
    /// What an object should show.
    struct Expected {
        var stored: Traveler?
        /// The record that the edits began with; nil without edits.
        var base: Traveler?
        var value: Traveler
        var isDraft = false

        var hasChanges: Bool { isDraft || base.map { $0 != value } ?? false }
    }

    let store: Store
    var objects: [Int: Live<Traveler>] = [:]
    var expected: [Int: Expected] = [:]

    init() throws { store = try Store.live() }

    mutating func step(using generator: inout SeededGenerator) throws {
        let id = Int.random(in: 0..<3, using: &generator)
        guard let object = objects[id] else { return try make(id, using: &generator) }
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...3: edit(id, object, using: &generator)
        case 4: try save(id, object)
        case 5: try saveAll()
        case 6:
            object.revert()
            revert(id)
        case 7...8: try writeElsewhere(id, using: &generator)
        case 9: try deleteElsewhere(id)
        case 10: try saveAndThrow(id, object, using: &generator)
        default: try delete(id, object)
        }
    }

    private mutating func make(_ id: Int, using generator: inout SeededGenerator) throws {
        let traveler = Traveler(id: id, age: Int.random(in: 0..<3, using: &generator))
        let isDraft = Bool.random(using: &generator)
        objects[id] = isDraft ? Traveler.draft(traveler, in: store) : try Traveler.create(traveler, in: store)
        expected[id] = Expected(
            stored: isDraft ? nil : traveler, base: isDraft ? nil : traveler, value: traveler, isDraft: isDraft)
    }

    private static func edited(_ traveler: Traveler, using generator: inout SeededGenerator) -> Traveler {
        var traveler = traveler
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: traveler.name = ["Ruby", "Zorg"].randomElement(using: &generator) ?? ""
        case 1: traveler.age = Int.random(in: 0..<3, using: &generator)
        case 2: traveler.nick = [nil, "nick"].randomElement(using: &generator) ?? nil
        default: traveler.quarters.number = [nil, 1, 2].randomElement(using: &generator) ?? nil
        }
        return traveler
    }

    private mutating func edit(_ id: Int, _ object: Live<Traveler>, using generator: inout SeededGenerator) {
        guard let value = expected[id]?.value else { return }
        let edited = Self.edited(value, using: &generator)
        object.value = edited
        expected[id]?.value = edited
    }

    /// Returns the merge of two changes, property by property.
    private static func merge(_ base: Traveler, _ mine: Traveler, _ theirs: Traveler) -> Traveler {
        var merged = theirs
        if mine.name != base.name { merged.name = mine.name }
        if mine.age != base.age { merged.age = mine.age }
        if mine.nick != base.nick { merged.nick = mine.nick }
        if mine.quarters != base.quarters { merged.quarters = mine.quarters }
        if mine.notes != base.notes { merged.notes = mine.notes }
        return merged
    }

    private mutating func save(_ id: Int, _ object: Live<Traveler>) throws {
        guard let state = expected[id] else { return }
        if state.stored == nil, !state.isDraft {
            #expect(throws: StoreError.self) { try object.save() }
        } else if state.isDraft, state.stored != nil {
            #expect(throws: StoreError.self) { try object.save() }
        } else {
            try object.save()
            noteSaved(id)
        }
    }

    private mutating func noteSaved(_ id: Int) {
        guard let state = expected[id] else { return }
        expected[id] = Expected(stored: state.value, base: state.value, value: state.value)
    }

    private mutating func saveAll() throws {
        let changed = expected.filter { $0.value.hasChanges }
        let canBeSaved = changed.values.allSatisfy { $0.isDraft ? $0.stored == nil : $0.stored != nil }
        guard canBeSaved else {
            #expect(throws: StoreError.self) { try store.live.saveAllChanges() }
            return
        }
        try store.live.saveAllChanges()
        for id in changed.keys { noteSaved(id) }
    }

    private mutating func revert(_ id: Int) {
        guard let state = expected[id] else { return }
        if state.isDraft { expected[id]?.isDraft = false }
        let value = state.stored ?? state.base ?? state.value
        expected[id]?.value = value
        expected[id]?.base = value
    }

    /// Follows a change of the stored record.
    private mutating func follow(_ id: Int, _ stored: Traveler?) {
        guard let state = expected[id] else { return }
        expected[id]?.stored = stored
        guard let stored else { return }
        if state.isDraft {
            // A draft that is stored as it is.
            if stored == state.value {
                expected[id]?.isDraft = false
                expected[id]?.base = stored
            }
            return
        }
        if let base = state.base { expected[id]?.value = Self.merge(base, state.value, stored) }
        expected[id]?.base = stored
    }

    private mutating func writeElsewhere(_ id: Int, using generator: inout SeededGenerator) throws {
        let stored = Self.edited(try store.stored(id) ?? Traveler(id: id), using: &generator)
        try store.write(stored)
        try store.live.refresh()
        follow(id, stored)
    }

    private mutating func deleteElsewhere(_ id: Int) throws {
        try store.delete(Traveler.self, key: id)
        try store.live.refresh()
        follow(id, nil)
    }

    private mutating func saveAndThrow(
        _ id: Int, _ object: Live<Traveler>, using generator: inout SeededGenerator
    ) throws {
        guard let state = expected[id] else { return }
        let isRefused = state.isDraft == (state.stored != nil)
        let isSaved = state.hasChanges || state.stored == nil
        #expect(throws: (any Error).self) {
            try store.write { context in
                try object.save(in: context)
                throw Stop()
            }
        }
        if isSaved, !isRefused { revert(id) }
    }

    private mutating func delete(_ id: Int, _ object: Live<Traveler>) throws {
        guard let state = expected[id] else { return }
        try object.delete()
        if state.isDraft { return revert(id) }
        expected[id]?.stored = nil
        expected[id]?.base = state.value
    }

    /// Returns a description of the first difference between the objects and the model; nil if they agree.
    func difference() throws -> String? {
        var unsaved = 0
        for (id, object) in objects.sorted(by: { $0.key < $1.key }) {
            guard let state = expected[id] else { return "no expectation" }
            if try store.stored(id) != state.stored { return "\(id): another record is stored" }
            if object.value != state.value { return "\(id): \(object.value) instead of \(state.value)" }
            if object.hasChanges != state.hasChanges { return "\(id): hasChanges \(object.hasChanges)" }
            if object.isDraft != state.isDraft { return "\(id): isDraft \(object.isDraft)" }
            let isDeleted = state.stored == nil && !state.isDraft
            if object.isDeleted != isDeleted { return "\(id): isDeleted \(object.isDeleted)" }
            if state.hasChanges { unsaved += 1 }
        }
        return store.live.unsavedCount == unsaved ? nil : "unsaved \(store.live.unsavedCount) instead of \(unsaved)"
    }
}
