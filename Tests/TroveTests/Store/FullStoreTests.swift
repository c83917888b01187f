// A full file, or a full disk, after a delete: there is room again.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Full stores") struct FullStoreTests {
    private func blob(_ number: Int, _ size: Int) -> Tick {
        Tick(number: number, note: String(repeating: "x", count: size))
    }

    /// Inserts records until there is no room. Returns their number.
    private func fill(_ store: Store, _ size: Int) -> (count: Int, error: StoreError?) {
        var count = 0
        while true {
            let error = storeError { try store.insert(blob(count, size)) }
            if error != nil { return (count, error) }
            count += 1
        }
    }

    @Test(arguments: [false, true])
    func afterADelete_aFileOfAFixedSizeHasRoom(reopens: Bool) throws {
        let directory = try TemporaryDirectory()
        func open() throws -> Store {
            try Store(
                path: directory.path("a.trove"),
                options: StoreOptions(mapSize: 16 << 20, growsMap: false, durability: .noSync))
        }
        var store = try open()
        let (full, error) = fill(store, 300_000)
        guard case .file(.mapFull)? = error, full > 40 else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try Tick.filter(\.number < full / 2).delete(in: store) == full / 2)
        if reopens {
            try store.close()
            store = try open()
        }
        let before = try store.commitSequence
        for number in 0..<(full / 2 - 3) { try store.insert(blob(number, 300_000)) }
        #expect(try Tick.query().count(in: store) == full - 3)
        // The commits of the store itself are not counted.
        #expect(try store.commitSequence == before + UInt64(full / 2 - 3))
        #expect(try Store.verify(path: store.path).isSound)
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "only root on Linux can mount a small disk"))
    func afterADelete_aFullDiskHasRoom() throws {
        let disk = try SmallDisk(megabytes: 8)
        let store = try Store(path: disk.path("a.trove"))
        let (full, error) = fill(store, 100_000)
        guard case .file(.diskFull)? = error, full > 40 else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try Tick.filter(\.number < full / 2).delete(in: store) == full / 2)
        for number in 0..<(full / 2 - 5) { try store.insert(blob(number, 100_000)) }
        #expect(try Tick.query().count(in: store) == full - 5)
    }

    /// A growing map is not delayed by commits of the store.
    @Test func aGrowingStore_commitsOnce_forEachWrite() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(
            path: directory.path("a.trove"), options: StoreOptions(mapSize: 1 << 20, durability: .noSync))
        for number in 0..<100 { try store.insert(blob(number, 20_000)) }
        try Tick.query().delete(in: store)
        let before = try store.environment.info.lastTransaction
        for number in 0..<10 { try store.insert(blob(number, 20_000)) }
        #expect(try store.environment.info.lastTransaction == before + 10)
    }

    @Test func aRecordThatCannotBeStored_isRefused_beforeAnythingIsWritten() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("a.trove"), options: StoreOptions(durability: .noSync))
        let before = try store.commitSequence
        let error = storeError { try store.insert(Liar(number: 1, promised: 2_254_857_830)) }
        guard case .record(.valueTooLarge("Liar", 2_254_857_830, let limit))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(limit == Int(0x7FFF_0000) - 24)
        try store.write { context in
            #expect(storeError { try context.insert(Liar(number: 1, promised: limit + 1)) } != nil)
            try context.insert(Tick(number: 1, note: ""))
        }
        #expect(try store.commitSequence == before + 1)
    }
}
