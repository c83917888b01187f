// The stored sample of a history: its commits, and the way to write the next sample.
//
//     swift run TroveStoreWorker write-history-sample Tests/TroveTests/Samples/format-N-history.trove

import Foundation
import Trove

/// A memo as an earlier program declares it.
@IndexKeyRecord(keyPrefix: 5_000_081, "id")
private struct EarlierMemo {
    let id: Int
    var title: String
    var text: String
}

/// A type of which the history keeps two properties of each deleted record.
@IndexKeyRecord(keyPrefix: 5_000_081, "id")
package struct SampleMemo: Hashable {
    #Index<SampleMemo>(\.title)

    package let id: Int
    package var title: String
    package var text: String
    package var tags: [String]?
}

/// A type of which the history keeps each deleted record.
@IndexKeyRecord(keyPrefix: 5_000_082, "folder", "number")
package struct SamplePage: Hashable {
    package let folder: String
    package let number: Int16
    package var body: String?
    package var score: Double

    package init(folder: String, number: Int16, body: String?, score: Double) {
        (self.folder, self.number, self.body, self.score) = (folder, number, body, score)
    }
}

/// A type that the history leaves out at first.
@IndexKeyRecord(keyPrefix: 5_000_083, "id")
package struct SampleDraft: Hashable {
    package let id: UUID
}

@EntityModel(keyPrefix: 5_000_084)
package struct SampleBand: Hashable {
    package let id: Int
    package var name: String
    @Relationship(inverse: \.bands) package var players: [SamplePlayer]?
}

@EntityModel(keyPrefix: 5_000_085)
package struct SamplePlayer: Hashable {
    package let id: String
    @Relationship(inverse: \.players) package var bands: [SampleBand]?
}

/// The position of a follower, in the store that it follows.
@IndexKeyRecord(keyPrefix: 5_000_086, "name")
package struct SampleFollower: Hashable {
    package let name: String
    package var token: HistoryToken
}

package enum SampleHistory {
    private struct Undone: Error {}

    package static let types: [any IndexKeyRecord.Type] = [
        SampleMemo.self, SamplePage.self, SampleDraft.self, SampleBand.self, SampleFollower.self,
    ]

    /// Makes the commits in a new store.
    package static func fill(_ path: String) throws {
        try fillEarlier(path)
        let rules = HistoryPolicy.keep(days: 1e6, commits: 1_000_000, bytes: 1 << 40)
            .keepingDeleted(SampleMemo.self, \.title, \.tags).keepingDeleted(SamplePage.self)
        let store = try Store(path: path, records: types, options: StoreOptions(history: rules))
        try store.write(author: "東京\0") { context in
            try context.insert(SampleMemo(id: 3, title: "three", text: "3, changed", tags: ["x", ""]))
            try context.insert(SampleMemo(id: 5, title: "five", text: "5", tags: ["y"]))
            try context.delete(SampleMemo.self, key: 1)
            for number in [300, -5, 0] as [Int16] {
                try context.insert(SamplePage(folder: "a", number: number, body: "page \(number)", score: 0.5))
            }
            try context.insert(
                SamplePage(folder: String(repeating: "x", count: 400), number: 0, body: nil, score: .infinity))
            for number in [7, 8, 9] as [Int16] { try context.insert(page(number, "l", count: 8_100)) }
        }
        try store.write(author: "") { context in
            try SampleMemo.filter(\.id >= 4 && \.id < 100).delete(in: context)
            for number in [300, -5] as [Int16] { try context.delete(SamplePage.self, key: Tuple("a", number)) }
        }
        let token = try store.read { try $0.historyToken }
        try store.write(author: "graph") { context in
            try SampleBand(
                id: 1, name: "Trio", players: .relation(["Ann", "Bob", "Zoë"].map { SamplePlayer(id: $0) })
            ).save(to: context)
            try SampleBand(id: 2, name: "Solo", players: .ids(["Bob"])).save(to: context)
        }
        try store.delete(SampleBand.self, key: 1)
        try store.write(author: "large", fillLarge)
        try store.write { context in
            try context.insert(SampleDraft(id: id(2)))
            do {
                try context.nested { nested in
                    try nested.insert(SampleDraft(id: id(3)))
                    try nested.delete(SampleMemo.self, key: 3)
                    throw Undone()
                }
            } catch is Undone {}
            try context.nested { try $0.delete(SampleDraft.self, key: id(1)) }
        }
        try SamplePage.query().delete(in: store)
        try store.write(author: "follower") { context in
            try context.insert(SampleFollower(name: "copy", token: token))
        }
    }

    /// Makes the commits of an earlier program, with other rules.
    private static func fillEarlier(_ path: String) throws {
        let rules = HistoryPolicy.keep().excluding(SampleDraft.self)
            .keepingDeleted(EarlierMemo.self, \.title).keepingDeleted(SamplePage.self)
        let store = try Store(path: path, records: [EarlierMemo.self], options: StoreOptions(history: rules))
        try store.insert(
            contentsOf: [-1, 1, 2, 3, 256].map { EarlierMemo(id: $0, title: "memo \($0)", text: "\($0)") })
        try store.write(author: "sync") { context in
            try context.insert(EarlierMemo(id: 1, title: "one", text: "1"))
            try context.delete(EarlierMemo.self, key: 2)
            try context.insert(SamplePage(folder: "", number: 1, body: "", score: -0.0))
            try context.insert(SampleDraft(id: id(1)))
            try context.insert(EarlierMemo(id: 7, title: "not there", text: ""))
            try context.delete(EarlierMemo.self, key: 7)
        }
    }

    private static func page(_ number: Int16, _ letter: String, count: Int) -> SamplePage {
        SamplePage(folder: "large", number: number, body: String(repeating: letter, count: count), score: 0)
    }

    /// Changes the same records three times. In between, a page fills the memory for changes, so that the changes of
    /// each time have rows of their own.
    private static func fillLarge(_ context: TransactionContext) throws {
        func memo(_ id: Int, _ title: String) -> SampleMemo {
            SampleMemo(id: id, title: title, text: "", tags: [title])
        }
        func fillMemory() throws {
            for _ in 0..<430 {
                try context.insert(page(0, "m", count: 10_000))
                try context.delete(SamplePage.self, key: Tuple("large", 0))
            }
            try context.insert(page(0, "m", count: 10))
        }
        for number in [1, 2, 3] as [Int16] { try context.insert(page(number, "a", count: 10)) }
        try context.insert(contentsOf: [memo(-1, "first"), memo(256, "first"), memo(1, "first")])
        try context.delete(SampleMemo.self, key: 3)
        try fillMemory()
        try context.delete(SamplePage.self, key: Tuple("large", 1))
        try context.insert(page(2, "b", count: 10))
        for id in [-1, 1, 256] { try context.delete(SampleMemo.self, key: id) }
        try context.insert(memo(3, "second"))
        try fillMemory()
        try context.insert(page(1, "c", count: 10))
        try context.delete(SamplePage.self, key: Tuple("large", 2))
        try context.insert(memo(-1, "third"))
        // These do not fit into a row together.
        for number in [7, 8, 9] as [Int16] { try context.delete(SamplePage.self, key: Tuple("large", number)) }
    }

    private static func id(_ number: UInt8) -> UUID {
        UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    /// Writes the sample of the current format. The file must not exist yet.
    static func write(to path: String) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "trove-sample-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: directory) } catch { TroveStoreWorker.say("\(error)") }
        }
        let filled = directory.appending(path: "sample.trove").path
        try fill(filled)
        TroveStoreWorker.say("\(try Store(path: filled).copy(to: path, compacting: true))")
    }
}
