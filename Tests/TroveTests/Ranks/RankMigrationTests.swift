// Ranked indexes from program to program: built from stored records with writes in between, and dropped.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Migrations of ranked indexes", .serialized) struct RankMigrationTests {
    private typealias Player = Board.Player
    private struct Killed: Error {}

    private func expectSound(
        _ store: Store, _ model: BoardModel, using random: inout SeededGenerator, _ note: Comment
    ) throws {
        #expect(try store.unreadyIndexes(Board.prefix) == [], note)
        #expect(try store.check() == [], note)
        let type = try store.storedType(Board.prefix)
        #expect(try store.read { try $0.checkStoredIndexes(of: type) }.differences == [], note)
        #expect(try Store.verify(path: store.path).findings.isEmpty, note)
        try model.expectSame(store, using: &random, note)
    }

    @Test func aNewIndex_countsTheRecords() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let players = (0..<2_000).map { Board.player($0, using: &random) }
        let file = try MigratedFile(of: players.map(Board.Plain.init))
        #expect(try file.open().info.features.isEmpty)
        let store = try file.open(Player.self)
        let model = BoardModel(players: Dictionary(uniqueKeysWithValues: players.map { ($0.id, $0) }))
        try expectSound(store, model, using: &random, "TROVE_TEST_SEED=\(seed)")
        #expect(try store.info.features == [.ranks])
        let other = try MigratedFile()
        try other.open(Player.self).insert(contentsOf: players)
        #expect(try rankRows(other.open()) == rankRows(store), "TROVE_TEST_SEED=\(seed)")
    }

    @Test func aDroppedIndex_leavesNoCounts() throws {
        var random = SeededGenerator(seed: 3)
        let file = try MigratedFile()
        try file.open(Player.self).insert(contentsOf: (0..<500).map { Board.player($0, using: &random) })
        do {
            let store = try file.open(Board.Plain.self, migrations: .onOpen.droppingUndeclaredIndexes)
            #expect(try store.read { $0.catalogSnapshot.indexParts(Board.prefix) }.isEmpty)
            #expect(try Store.verify(path: store.path).findings.isEmpty)
            try store.insert(Board.Plain(Board.player(900, using: &random)))
        }
        // The index is made again.
        let again = try file.open(Player.self)
        #expect(try again.check() == [])
        #expect(try Player.query().sorted(by: \.id).rank(ofKey: 900).resolve(in: again) == 501)
    }

    /// The counts are those of the stored entries, whichever process has stored them.
    @Test func whateverIsWrittenInBetween_theCountsAreThoseOfTheEntries() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for round in 0..<4 {
            let note: Comment = "round \(round), TROVE_TEST_SEED=\(seed)"
            var model = BoardModel()
            for id in 0..<800 { model.players[id] = Board.player(id, using: &random) }
            let file = try MigratedFile(of: model.players.values.sorted { $0.id < $1.id }.map(Board.Plain.init))
            let size = BuildSize(
                bytes: [0, 8_000, 60_000].randomElement(using: &random) ?? 0,
                readTime: .seconds(10), writeTime: .zero, rests: false, block: Int.random(in: 1...300, using: &random))
            func write(_ store: Store) throws {
                try store.write { context in
                    for _ in 0..<Int.random(in: 1...4, using: &random) {
                        let player = Board.player(Int.random(in: 0..<1_200, using: &random), using: &random)
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0:
                            try context.delete(Player.self, key: player.id)
                            model.players[player.id] = nil
                        case 1:
                            try? context.nested { nested in
                                try nested.insert(player, onConflict: .replace)
                                throw Killed()
                            }
                        default:
                            try context.insert(player, onConflict: .replace)
                            model.players[player.id] = player
                        }
                    }
                }
            }
            var isReady = false
            var left = 200
            while !isReady {
                // A process that goes on where another was killed.
                let store = try file.open()
                func next() throws -> Store {
                    left -= 1
                    if left > 0 {
                        if Int.random(in: 0..<20, using: &random) == 0 { throw Killed() }
                        for _ in 0..<Int.random(in: 0..<3, using: &random) { try write(store) }
                    }
                    return store
                }
                do {
                    _ = try Store.buildIndexes(of: Player.self, in: next(), size) { _ in }
                    isReady = try store.unreadyIndexes(Board.prefix) == []
                } catch is Killed {
                    try model.expectSame(store, using: &random, note)
                }
            }
            try expectSound(try file.open(Player.self), model, using: &random, note)
        }
    }

    @Test func aStoreWithoutRanks_isOpenToEarlierPrograms_untilItsFirstRanks() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let players = (0..<50).map { Board.player($0, using: &random) }
        let file = try MigratedFile(of: players.map(Board.Plain.init))
        func openEarlier(isReadOnly: Bool) throws -> Store {
            var options = StoreOptions(durability: .noSync, isReadOnly: isReadOnly)
            options.supportedFeatures.remove(.ranks)
            return try Store(path: file.path, options: options)
        }
        for isReadOnly in [true, false] {
            #expect(try openEarlier(isReadOnly: isReadOnly).read { try Board.Plain.query().count(in: $0) } == 50)
        }
        try openEarlier(isReadOnly: false).insert(Board.Plain(Board.player(50, using: &random)))
        try file.migrate(Player.self)
        for isReadOnly in [true, false] {
            guard
                case .file(.formatTooNew(_, _, _, let features))? = storeError({
                    try openEarlier(isReadOnly: isReadOnly)
                })
            else {
                Issue.record("a program without ranks opens the store, TROVE_TEST_SEED=\(seed)")
                return
            }
            #expect(features == [.ranks])
        }
        let store = try file.open(Player.self)
        #expect(try store.check() == [])
        #expect(try Player.query().sorted(by: \.id).rank(ofKey: 50).resolve(in: store) == 51)
    }

    /// A program that does not know the feature cannot declare a ranked index either.
    @Test func aProgramWithoutTheFeature_makesNoRanks() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let file = try MigratedFile()
        var options = StoreOptions(durability: .noSync)
        options.supportedFeatures.remove(.ranks)
        let error = storeError {
            try Store(path: file.path, options: options).insert(Board.player(1, using: &random))
        }
        guard case .file(.formatTooNew(_, _, _, let features))? = error else {
            Issue.record("\(String(describing: error)), TROVE_TEST_SEED=\(seed)")
            return
        }
        #expect(features == [.ranks])
        #expect(try file.open().info.features.isEmpty)
        #expect(try file.open().read { try $0.storedTypes().isEmpty })
    }
}
