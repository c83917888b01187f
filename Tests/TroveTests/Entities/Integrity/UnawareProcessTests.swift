// Two processes with a store: one saves links, the other saves and deletes their targets without knowing of links.

import Foundation
import Testing
import Trove
import TroveStoreWorker
import TroveTestSupport

@EntityModel(keyPrefix: 4_000_042)
private struct Fan {
    let id: Int
    var name: String
}

@EntityModel
private struct Concert {
    let id: Int
    @Relationship var audience: [Fan]? = nil
    @Relationship var singer: Fan? = nil
}

@Suite("A process that knows one end") struct UnawareProcessTests {
    /// The links of the concerts, and the stored fans.
    private struct Model {
        var audiences: [Int: [Int]] = [:]
        var singers: [Int: Int] = [:]
        var fans: Set<Int> = []

        mutating func delete(_ id: Int) {
            guard fans.remove(id) != nil else { return }
            audiences = audiences.mapValues { $0.filter { $0 != id } }
            singers = singers.filter { $0.value != id }
        }
    }

    private func distinct(_ ids: [Int]) -> [Int] {
        ids.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    @Test func theLinksOfOneProcess_goWithTheTargetsThatTheOtherDeletes() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let directory = try TemporaryDirectory()
        let path = directory.path("concerts.trove")
        let store = try Store(path: path, records: [Concert.self], options: StoreOptions(durability: .noSync))
        let child = try ChildProcess(["listeners", path, "", "0"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        func tell(_ line: String) throws {
            try child.writeLine(line)
            #expect(child.readLine() == "done")
        }
        var model = Model()
        let rounds = ProcessInfo.processInfo.environment["TROVE_GRAPH_ROUNDS"].flatMap(Int.init) ?? 60
        for step in 0..<(rounds * 5) {
            let comment: Comment = "TROVE_TEST_SEED=\(seed) step \(step)"
            let (id, fan) = (number(4), number(6))
            switch number(8) {
            case 0:
                try tell("save \(fan)")
                model.fans.insert(fan)
            case 1:
                try tell("delete \(fan)")
                model.delete(fan)
            case 2:
                let limit = number(4)
                try tell("deleteBelow \(limit)")
                for fan in 0..<limit { model.delete(fan) }
            case 3:
                try Concert(id: id, singer: .relation(Fan(id: fan, name: ""))).save(to: store)
                model.fans.insert(fan)
                model.singers[id] = fan
            case 4:
                let ids = (0..<number(5)).map { _ in number(6) }
                try Concert(id: id, audience: .ids(ids)).save(to: store)
                model.audiences[id] = distinct(ids)
            case 5:
                let ids = (0..<number(3)).map { _ in number(6) }
                try Concert(id: id, audience: .appending(ids: ids)).save(to: store)
                model.audiences[id] = distinct((model.audiences[id] ?? []) + ids)
            case 6:
                try Fan(id: fan, name: "").delete(from: store)
                model.delete(fan)
            default:
                if try Concert.delete(id: id, from: store) {
                    model.audiences[id] = nil
                    model.singers[id] = nil
                }
            }
            for id in 0..<4 {
                #expect(try Concert.ids("audience", of: id, in: store) == model.audiences[id] ?? [], comment)
                #expect(try Concert.ids("singer", of: id, in: store) == model.singers[id].map { [$0] } ?? [], comment)
            }
            #expect(try Set(Fan.query().keys(in: store)) == model.fans, comment)
            if step % 10 == 9 { #expect(try store.check() == [], comment) }
        }
        try child.writeLine("end")
        #expect(child.readLine() == "done")
        #expect(child.wait() == 0)
    }
}
