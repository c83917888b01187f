// Reads of links beside writes: a context sees the links of one transaction, and a write sees its own.

import Synchronization
import Testing
import TroveTestSupport

@testable import Trove

@EntityModel
private struct Basket {
    let id: Int
    @Relationship(inverse: \.basket) var apples: [Apple]?
}

@EntityModel
private struct Apple {
    let id: Int
    @Relationship(inverse: \.apples) var basket: Basket?
}

@Suite("Reading links while they change") struct LinkSnapshotTests {
    private static let baskets = 3
    private static let apples = 12

    @Test func aReader_neverSeesAnEntityInTwoLists_orInNone() throws {
        let directory = try TemporaryDirectory()
        let options = StoreOptions(durability: .noSync)
        let store = try Store(path: directory.path("apples.trove"), records: [Basket.self], options: options)
        try Basket(id: 0, apples: .relation((0..<Self.apples).map { Apple(id: $0) })).save(to: store)
        let isOver = Atomic<Bool>(false)
        let readers = (0..<3).map { _ in
            RunningThread {
                var reads = 0
                repeat {
                    try store.read { context in
                        let lists = try (0..<Self.baskets).map { try Basket.ids("apples", of: $0, in: context) }
                        #expect(lists.flatMap(\.self).sorted() == Array(0..<Self.apples))
                        for (basket, list) in lists.enumerated() {
                            for apple in list {
                                #expect(try Apple.ids("basket", of: apple, in: context) == [basket])
                            }
                        }
                    }
                    reads += 1
                } while !isOver.load(ordering: .relaxed)
                return reads
            }
        }
        var (random, _) = SeededGenerator.fromEnvironment()
        for _ in 0..<300 {
            let (apple, basket) = (
                Int.random(in: 0..<Self.apples, using: &random), Int.random(in: 0..<Self.baskets, using: &random)
            )
            if Bool.random(using: &random) {
                try Apple(id: apple, basket: .id(basket)).save(to: store)
            } else {
                try Basket(id: basket, apples: .appending(ids: [apple])).save(to: store)
            }
        }
        isOver.store(true, ordering: .relaxed)
        for reader in readers { #expect(try reader.value() > 0) }
    }

    @Test func aWrite_seesTheLinksOfItsOwnStatements() throws {
        let store = try Store.temporary(records: [Basket.self])
        try store.write { context in
            try Basket(id: 1, apples: .ids([1, 2])).save(to: context)
            #expect(try Basket.ids("apples", of: 1, in: context) == [1, 2])
            #expect(try Basket.ids("apples", of: 1, in: store) == [], "the store shows the last commit")
            try context.nested { context in
                try Apple(id: 3, basket: .id(1)).save(to: context)
                #expect(try Basket.ids("apples", of: 1, in: context) == [1, 2, 3])
            }
            try Apple(id: 3).delete(from: context)
            #expect(try Basket.ids("apples", of: 1, in: context) == [1, 2])
        }
    }

    /// A list that is read, changed and saved later loses what came in between. Appending and detaching do not, and
    /// neither does a change in one transaction.
    @Test func aListSavedLater_replacesWhatCameBetween_andAppendingKeepsIt() throws {
        let store = try Store.temporary(records: [Basket.self])
        try Basket(id: 1, apples: .ids([1, 2])).save(to: store)
        let known = try Basket.ids("apples", of: 1, in: store)
        try Apple(id: 3, basket: .id(1)).save(to: store)
        try Basket(id: 1, apples: .ids(known + [4])).save(to: store)
        #expect(try Basket.ids("apples", of: 1, in: store) == [1, 2, 4])
        #expect(try Apple.ids("basket", of: 3, in: store) == [])
        try Apple(id: 5, basket: .id(1)).save(to: store)
        try Basket(id: 1, apples: .appending(ids: [6])).save(to: store)
        try Basket(id: 1).detach(\.$apples, ids: [1], in: store)
        #expect(try Basket.ids("apples", of: 1, in: store) == [2, 4, 5, 6])
    }
}
