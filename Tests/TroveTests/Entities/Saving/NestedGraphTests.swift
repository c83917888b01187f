// Graphs in nested transactions and in group commits: an error undoes its own statement, and all of it.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Graphs in nested transactions") struct NestedGraphTests {
    private struct Stop: Error {}

    @Test func anUndoneTransaction_leavesNothingOfAGraph() throws {
        let store = try Store.temporary(records: [Team.self])
        try store.write { context in
            func undone(_ body: (TransactionContext) throws -> Void) throws {
                let keys = context.changedKeys.types
                do {
                    try context.nested { context in
                        try body(context)
                        throw Stop()
                    }
                } catch is Stop {}
                #expect(context.changedKeys.types == keys)
            }
            let team = Team(
                id: 1, members: .relation([Teammate(id: 1, devices: .relation([Device(id: 1)])), Teammate(id: 2)]))
            // The relations themselves are undone, and created again.
            try undone { try team.save(to: $0) }
            #expect(context.relations.isEmpty)
            #expect(try Team.ids("members", of: 1, in: context) == [])
            try team.save(to: context)
            try undone { try Teammate(id: 1).delete(from: $0) }
            try undone { try Team(id: 1).detach(\.$members, in: $0) }
            try undone { try Team(id: 2, members: .ids([2, 1])).save(to: $0) }
            try undone { context in
                try context.nested { try Teammate(id: 1, team: .null).save(to: $0) }
                #expect(try Team.ids("members", of: 1, in: context) == [2])
            }
            #expect(try Team.ids("members", of: 1, in: context) == [1, 2])
            #expect(try Teammate.ids("devices", of: 1, in: context) == [1])
        }
        #expect(try Teammate.query().count(in: store) == 2)
        try store.expectIntactLinks()
    }

    @Test func asyncSaves_shareACommit_andFailAlone() async throws {
        let store = try await Store.temporary(records: [Node.self, HookCall.self])
        let saved = await withTaskGroup(of: Int?.self) { group in
            for index in 0..<64 {
                group.addTask {
                    let last = Node(id: "\(index)c", action: index % 4 == 0 ? "didSave throws" : "")
                    let graph = Node(
                        id: "\(index)", children: .relation([Node(id: "\(index)b", children: .relation([last]))]))
                    do {
                        try await graph.save(to: store)
                        return index
                    } catch {
                        #expect(error is Refused)
                        return nil
                    }
                }
            }
            return await group.reduce(into: Set<Int>()) { if let index = $1 { $0.insert(index) } }
        }
        #expect(saved == Set((0..<64).filter { $0 % 4 != 0 }))
        #expect(try await Node.query().count(in: store) == 48 * 3)
        for index in 0..<64 {
            let expected = saved.contains(index) ? ["\(index)b"] : []
            #expect(try await store.read { try Node.links("children", of: "\(index)", in: $0) } == expected)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<64 { group.addTask { try await Node(id: "\(index)").delete(from: store) } }
            try await group.waitForAll()
        }
        #expect(try await Node.query().count(in: store) == 0)
    }
}
