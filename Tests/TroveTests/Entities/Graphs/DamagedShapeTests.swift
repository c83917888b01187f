// Random nested queries over damaged links and damaged records: a result or a typed error, never a trap.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Random nested queries over damage") struct DamagedShapeTests {
    private static var rounds: Int { ProcessInfo.processInfo.environment["TROVE_GRAPH_ROUNDS"].flatMap(Int.init) ?? 60 }

    @Test func anyShape_overAnyDamage_isAResultOrATypedError() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        var (results, errors) = (0, 0)
        for round in 0..<Self.rounds {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let store = try Store.temporary(records: [User.self])
            try LinkedStore.fill(store)
            var damage: [String] = []
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                damage.append(try store.damageEntry(of: { _ in true }, using: &random))
            }
            for step in 0..<12 {
                let comment: Comment = "TROVE_TEST_SEED=\(seed &+ UInt64(round)) step \(step): \(damage)"
                let type: any SpecifiedEntity.Type = [User.self, Chat.self, Message.self, Attachment.self][step % 4]
                do {
                    try run(type, store, &random)
                    results += 1
                } catch is StoreError {
                    errors += 1
                } catch {
                    Issue.record(error, comment)
                }
            }
        }
        #expect(results > 0 && errors > 0, "TROVE_TEST_SEED=\(seed)")
    }

    /// Runs a random shape in one of the ways to run it, and writes what it has found.
    private func run<Entity: SpecifiedEntity>(
        _ type: Entity.Type, _ store: Store, _ random: inout SeededGenerator
    ) throws {
        let specs = NestedSpec.random(type, depth: 4, using: &random)
        let query = Query<Entity>().applying(specs)
        let ids = (0..<4).map { _ in "\(Int.random(in: 0..<6, using: &random))" }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: _ = try query.resolve(in: store)
        case 1: try query.forEach(in: store) { _ = graphText($0) }
        case 2: _ = try Entity.query(ids).changing { $0 = $0.applying(specs) }.resolve(in: store)
        case 3: _ = try Entity.query(ids[0]).changing { $0 = $0.applying(specs) }.resolve(in: store).map(graphText)
        case 4: _ = try Query<Entity>().with(.entities, .schemaFragments, .ids).resolve(in: store).map(graphText)
        default:
            // Within a write, which goes on after an error.
            try store.write { context in
                do {
                    let found = try query.resolve(in: context)
                    try found.first?.save(to: context)
                    try found.last?.delete(from: context)
                } catch is StoreError {
                    try User(id: "9", name: "new").save(to: context)
                }
            }
        }
    }
}
