// Random steps on live objects in transactions that nest, and that are committed or undone. Objects edit names, and
// writes without objects change ages, so that each stored record is known.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Live objects in random transactions", .hangLimit) struct RandomLiveTransactionTests {
    @Test func afterEachTransaction_objectsShowWhatIsStored() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<(hasSanitizer ? 4 : 20) {
            var run = try TransactionModel()
            for turn in 0..<60 {
                try run.transaction(using: &generator)
                let difference = try run.difference()
                try #require(difference == nil, "after transaction \(turn), TROVE_TEST_SEED=\(seed)")
            }
        }
    }
}

/// Three keys with live objects, and the records that should be stored.
private struct TransactionModel {
    let store: Store
    private let objects: [Live<Traveler>]
    private var stored: [Int: Traveler] = [:]
    private var last = 0

    init() throws {
        let store = try Store.live()
        self.store = store
        objects = try (0..<3).map { try Traveler.create(Traveler(id: $0), in: store) }
        for object in objects { stored[object.key] = object.value }
    }

    mutating func transaction(using generator: inout SeededGenerator) throws {
        let before = stored
        do {
            try store.write { context in try steps(in: context, depth: 0, using: &generator) }
            // What was written without the objects reaches them with a round.
            try store.live.refresh()
        } catch is Stop {
            stored = before
        }
    }

    private mutating func steps(
        in context: TransactionContext, depth: Int, using generator: inout SeededGenerator
    ) throws {
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            if depth < 2, Int.random(in: 0..<6, using: &generator) == 0 {
                let before = stored
                do {
                    try context.nested { try steps(in: $0, depth: depth + 1, using: &generator) }
                } catch is Stop {
                    stored = before
                }
            } else {
                try step(in: context, using: &generator)
            }
        }
        if Int.random(in: 0..<3, using: &generator) == 0 { throw Stop() }
    }

    private mutating func step(in context: TransactionContext, using generator: inout SeededGenerator) throws {
        let object = objects[Int.random(in: 0..<3, using: &generator)]
        let key = object.key
        last += 1
        guard let known = stored[key] else {
            if Bool.random(using: &generator) {
                stored[key] = Traveler(id: key, name: "created \(last)")
                _ = try Traveler.create(Traveler(id: key, name: "created \(last)"), in: context)
            } else {
                object.name = "kept \(last)"
                try object.save(resolving: .mine, in: context)
                stored[key] = try context.get(Traveler.self, key: key)
                #expect(stored[key]?.name == "kept \(last)")
            }
            return
        }
        switch Int.random(in: 0..<8, using: &generator) {
        case 0...3:
            object.name = "edited \(last)"
            try object.save(in: context)
            stored[key]?.name = "edited \(last)"
        case 4...5:
            stored[key]?.age = last
            try context.insert(Traveler(id: key, name: known.name, age: last))
        case 6:
            try object.delete(in: context)
            stored[key] = nil
        default:
            try context.delete(Traveler.self, key: key)
            stored[key] = nil
        }
        #expect(try context.get(Traveler.self, key: key) == stored[key])
    }

    /// Returns a description of the first difference between the store or the objects and the model; nil if they agree.
    func difference() throws -> String? {
        for object in objects {
            let expected = stored[object.key]
            if try store.stored(object.key) != expected { return "\(object.key): another record is stored" }
            if object.isDeleted != (expected == nil) { return "\(object.key): isDeleted \(object.isDeleted)" }
            if object.hasChanges || object.isDraft { return "\(object.key): unsaved \(object.value)" }
            if let expected, object.value != expected {
                return "\(object.key): \(object.value) instead of \(expected)"
            }
        }
        return store.live.unsavedCount == 0 ? nil : "unsaved \(store.live.unsavedCount)"
    }
}
