// The async forms of the statements about a single relation: they do what their sync forms do, share commits, and fail
// alone.

import Testing
import TroveTestSupport

@testable import Trove

@EntityModel
private struct Orchard: Equatable {
    let id: Int
    @Relationship(inverse: \.orchard) var trees: [AppleTree]?
    @Relationship var visitors: [Beekeeper]? = nil
    @Relationship var owner: Beekeeper? = nil
}

@EntityModel
private struct AppleTree: Equatable {
    let id: Int
    @Relationship(inverse: \.trees) var orchard: Orchard?
}

@EntityModel
private struct Beekeeper: Equatable {
    let id: Int
    @Relationship(deleteRule: .deny, inverse: \.keeper) var hives: [Beehive]?
}

@EntityModel
private struct Beehive: Equatable {
    let id: Int
    @Relationship(inverse: \.hives) var keeper: Beekeeper?
}

@Suite("Async statements about a relation") struct AsyncRelationTests {
    private static let orchard = Orchard(
        id: 1, trees: .relation((1...4).map { AppleTree(id: $0) }),
        visitors: .relation((1...4).map { Beekeeper(id: $0) }), owner: .id(1))

    private func stores() async throws -> (sync: Store, async: Store) {
        let stores = (
            try await Store.temporary(records: [Orchard.self]), try await Store.temporary(records: [Orchard.self])
        )
        try await Self.orchard.save(to: stores.0)
        try await Self.orchard.save(to: stores.1)
        return stores
    }

    private func state(_ store: Store) async throws -> [[Int]] {
        try await store.read { context in
            [
                try Orchard.ids("trees", of: 1, in: context), try Orchard.ids("visitors", of: 1, in: context),
                try Orchard.ids("owner", of: 1, in: context), try AppleTree.query().keys(in: context),
                try Beekeeper.query().keys(in: context),
                try (1...4).flatMap { try AppleTree.ids("orchard", of: $0, in: context) },
            ]
        }
    }

    @Test func asyncForms_doWhatTheirSyncFormsDo() async throws {
        let (sync, async) = try await stores()
        let orchard = Orchard(id: 1)
        func expectEqual(_ comment: Comment) async throws {
            let (one, other) = (try await state(sync), try await state(async))
            #expect(one == other, comment)
            try await async.read { try $0.expectIntactLinks() }
        }
        let moved = Orchard(
            id: 1, trees: .relation([AppleTree(id: 4), AppleTree(id: 9)]), owner: .relation(Beekeeper(id: 7)))
        try await sync.write { try moved.save(\.$trees, to: $0) }
        try await moved.save(\.$trees, to: async)
        try await expectEqual("save of a mutual relation")
        try await sync.write { try moved.save(\.$owner, to: $0) }
        try await moved.save(\.$owner, to: async)
        try await expectEqual("save of a one-way relation")
        try await sync.write { try orchard.detach(\.$trees, ids: [4], in: $0) }
        try await orchard.detach(\.$trees, ids: [4], in: async)
        try await expectEqual("detach some of a mutual relation")
        try await sync.write { try orchard.detach(\.$visitors, ids: [1, 8], in: $0) }
        try await orchard.detach(\.$visitors, ids: [1, 8], in: async)
        try await expectEqual("detach some of a one-way relation")
        try await sync.write { try orchard.delete(\.$visitors, ids: [2, 1], from: $0) }
        try await orchard.delete(\.$visitors, ids: [2, 1], from: async)
        try await expectEqual("delete some of a one-way relation")
        try await sync.write { try orchard.detach(\.$owner, in: $0) }
        try await orchard.detach(\.$owner, in: async)
        try await expectEqual("detach a one-way relation")
        try await sync.write { try orchard.delete(\.$visitors, from: $0) }
        try await orchard.delete(\.$visitors, from: async)
        try await expectEqual("delete a one-way relation")
        try await orchard.save(to: sync)
        try await sync.write { try Orchard(id: 1, trees: .ids([1, 2, 3])).save(to: $0) }
        try await Orchard(id: 1, trees: .ids([1, 2, 3])).save(to: async)
        try await sync.write { try orchard.delete(\.$trees, ids: [2], from: $0) }
        try await orchard.delete(\.$trees, ids: [2], from: async)
        try await expectEqual("delete some of a mutual relation")
        try await sync.write { try AppleTree(id: 1).detach(\.$orchard, in: $0) }
        try await AppleTree(id: 1).detach(\.$orchard, in: async)
        try await expectEqual("detach a mutual relation")
        try await sync.write { try orchard.delete(\.$trees, from: $0) }
        try await orchard.delete(\.$trees, from: async)
        try await expectEqual("delete a mutual relation")
        let last = try await state(async)
        #expect(last == [[], [], [], [1, 4, 9], [1, 7], []])
    }

    /// Statements that wait together, of which some throw: the others are a single commit.
    @Test func statementsThatWaitTogether_shareACommit_andFailAlone() async throws {
        try await eventually(gives: 1) {
            let line = try WriterLine()
            let store = line.store
            try await store.write { context in
                for id in 0..<12 {
                    let hives = id % 3 == 0 ? [Beehive(id: id)] : []
                    let keeper = Beekeeper(id: id, hives: .relation(hives))
                    try Orchard(
                        id: id, trees: .relation([AppleTree(id: id), AppleTree(id: 100 + id)]),
                        visitors: .relation([keeper]), owner: .id(id)
                    ).save(to: context)
                }
            }
            return try await line.commits {
                let held = await line.hold()
                var tasks: [(id: Int, task: Task<Void, any Error>)] = []
                for id in 0..<12 {
                    let orchard = Orchard(id: id)
                    let task = await held.queue {
                        Task {
                            if id % 2 == 0 {
                                try await orchard.detach(\.$trees, in: store)
                                return
                            }
                            // The keeper of every third orchard denies.
                            try await orchard.delete(\.$visitors, from: store)
                        }
                    }
                    tasks.append((id, task))
                }
                held.end()
                for (id, task) in tasks {
                    let isDenied = id % 2 != 0 && id % 3 == 0
                    do {
                        try await task.value
                        #expect(!isDenied)
                    } catch StoreError.entity(.deleteDenied) {
                        #expect(isDenied)
                    }
                }
                try await store.read { context in
                    for id in 0..<12 {
                        let isDetached = id % 2 == 0
                        #expect(try Orchard.ids("trees", of: id, in: context).count == (isDetached ? 0 : 2))
                        let isDeleted = id % 2 != 0 && id % 3 != 0
                        #expect(try Orchard.ids("visitors", of: id, in: context) == (isDeleted ? [] : [id]))
                        #expect(try Orchard.ids("owner", of: id, in: context) == (isDeleted ? [] : [id]))
                        #expect(try Beekeeper.get(in: context, id: id) == (isDeleted ? nil : Beekeeper(id: id)))
                    }
                    try context.expectIntactLinks()
                }
            }
        }
    }
}
