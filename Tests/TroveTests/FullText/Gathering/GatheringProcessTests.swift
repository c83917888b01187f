// Several processes gather the same texts, and one of them is killed: each text is stored once, and none is lost.

import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@Suite("Gathering across processes", .serialized) struct GatheringProcessTests {
    private let options = StoreOptions(durability: .noSync, gathersTexts: false)

    private func makeStore(_ path: String, _ count: Int) async throws -> Store {
        let store = try await Store(path: path, records: [SharedScan.self], options: options)
        try await store.insert(contentsOf: (0..<count).map { SharedScan(id: $0, file: "w\($0 % 10)") })
        return store
    }

    private func start(_ path: String) throws -> ChildProcess {
        let child = try ChildProcess(["gather", path, "", "0"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        try child.writeLine("go")
        return child
    }

    private func expectSound(_ store: Store, _ count: Int) async throws {
        #expect(try await store.waitingTexts(of: SharedScan.self) == 0)
        #expect(try await store.check(gathering: true) == [])
        #expect(try await SharedScan.matching("all").count(in: store) == count)
        for word in ["w3", "new"] {
            let scans = try await SharedScan.query().resolve(in: store)
            let expected = scans.filter { $0.file.split(separator: " ").contains(Substring(word)) }.map(\.id)
            #expect(try await SharedScan.matching(word).keys(in: store).sorted() == expected)
        }
    }

    @Test func twoProcesses_gatherWhileAThirdSaves() async throws {
        let directory = try TemporaryDirectory()
        let store = try await makeStore(directory.path("scans"), 2_500)
        let children = try [start(store.path), start(store.path)]
        for id in 0..<150 {
            try await store.insert(SharedScan(id: id * 13, file: "new w\(id)"), onConflict: .replace)
            if id % 10 == 0 { try await store.delete(SharedScan.self, key: id * 13 + 1) }
        }
        for child in children {
            while let line = child.readLine(), line != "done" {}
            #expect(child.wait() == 0)
        }
        try await store.gatherTexts(of: SharedScan.self)
        let count = try await SharedScan.query().count(in: store)
        try await expectSound(store, count)
        try await store.close()
    }

    @Test func killedProcess_leavesItsTextsToTheNext() async throws {
        let directory = try TemporaryDirectory()
        let store = try await makeStore(directory.path("scans"), 6_000)
        for calls in 1...3 {
            let child = try start(store.path)
            for _ in 0..<calls { #expect(child.readLine()?.hasPrefix("gathering") == true) }
            child.kill()
            _ = child.wait()
            let waiting = try await store.waitingTexts(of: SharedScan.self)
            let found = try await SharedScan.matching("all").count(in: store)
            #expect(waiting + found == 6_000)
            #expect(try await store.check() == [])
            if calls == 2 { try await store.write { try SharedScan.filter(\.id < 6_000).regather(in: $0) } }
        }
        try await store.gatherTexts(of: SharedScan.self)
        try await expectSound(store, 6_000)
        try await store.close()
    }
}
