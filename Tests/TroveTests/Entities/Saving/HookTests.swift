// Hooks: their order, what they may do, and that an error undoes the whole statement.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Hooks of entities") struct HookTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Node.self, HookCall.self]) }

    private let graph = Node(
        id: "a",
        children: .relation([
            Node(id: "b", children: .relation([Node(id: "c", favorite: .id("d"))])), Node(id: "d"),
        ]))

    private func node(_ id: String) throws -> Node? { try store.get(Node.self, key: id) }

    // MARK: Order

    @Test func saving_callsHooksAroundTheEntitiesInside() throws {
        try graph.save(to: store)
        // A record precedes the entities inside, and these precede the links to them.
        #expect(
            try store.hookCalls() == [
                "willSave a", "willSave b", "willSave c", "didSave c r", "didSave b rc", "willSave d f", "didSave d rf",
                "didSave a rc",
            ])
        try store.forgetHookCalls()
        // Plain inserts and updates are saves too.
        try store.insert(Node(id: "d"))
        try store.insert(contentsOf: [Node(id: "e")])
        try Node.filter(\.id == "e").update(in: store) { $0.text = "new" }
        #expect(
            try store.hookCalls() == [
                "willSave d rpf", "didSave d rpf", "willSave e", "didSave e r", "willSave e r", "didSave e r",
            ])
        #expect(try node("e")?.text == "new")
    }

    @Test func deleting_callsHooksAroundTheCascade() throws {
        try graph.save(to: store)
        try store.forgetHookCalls()
        try Node(id: "a").delete(from: store)
        // A record is removed before its relations are followed, and its links before the second hook.
        #expect(
            try store.hookCalls() == [
                "willDelete a rc", "willDelete b rcp", "willDelete c rp", "didDelete c", "didDelete b",
                "willDelete d rp", "didDelete d", "didDelete a",
            ])
        try store.forgetHookCalls()
        try Node(id: "a").delete(from: store)
        #expect(try Node.delete(id: "a", from: store) == false)
        #expect(try store.hookCalls() == [], "nothing is stored under the id")
    }

    @Test func deletesOfEveryKind_callHooks() throws {
        func expect(_ ids: [String], _ change: () throws -> Void) throws {
            try Node.query().delete(in: store)
            try graph.save(to: store)
            try store.forgetHookCalls()
            try change()
            let calls = try store.hookCalls()
            #expect(try Node.query().keys(in: store) == ["a", "b", "c", "d"].filter { !ids.contains($0) })
            for id in ["a", "b", "c", "d"] {
                #expect(calls.filter { $0.hasPrefix("willDelete \(id)") }.count == (ids.contains(id) ? 1 : 0))
                #expect(calls.filter { $0.hasPrefix("didDelete \(id)") }.count == (ids.contains(id) ? 1 : 0))
            }
            try store.expectIntactLinks()
        }
        try expect(["b", "c"]) { try Node.filter(\.id == "b").delete(in: store) }
        try expect(["c", "d"]) { try Node.filter(\.id >= "c" && \.id < "e").delete(in: store) }
        try expect(["a", "b", "c", "d"]) { try Node.query().delete(in: store) }
        try expect(["b", "c"]) { try store.delete(Node.self, key: "b") }
        try expect(["b", "c"]) { try store.delete(Node.self, key: "b", ignoringDamage: true) }
        try expect(["b", "c", "d"]) { try Node(id: "a").delete(\.$children, from: store) }
        try expect(["d"]) {
            try Node(id: "a").delete(\.$children, ids: ["d", "c"], from: store)
        }
        try expect(["d"]) { try Node(id: "c").delete(\.$favorite, from: store) }
    }

    // MARK: Changes by hooks

    @Test func willSave_mayChangePropertiesAndRelations() throws {
        try Node(
            id: "p", children: .relation([Node(id: "1", text: "a", action: "rename"), Node(id: "2", action: "adopt")])
        )
        .save(to: store)
        #expect(try node("1")?.text == "A")
        #expect(try Node.links("children", of: "2", in: store) == ["adopted"])
        #expect(try Node.links("parent", of: "adopted", in: store) == ["2"])
        try Node(id: "1", text: "b", action: "rename").save(to: store, merging: .fragment)
        #expect(try node("1")?.text == "B")
    }

    @Test func willSave_cannotChangeTheID() throws {
        let error = StoreError.record(.keyChanged(type: "Node", key: StoredKey("1", of: Node.self)))
        #expect(throws: error) { try Node(id: "1", action: "move").save(to: store) }
        #expect(throws: error) { try store.insert(Node(id: "0", children: .relation([Node(id: "1", action: "move")]))) }
        #expect(try Node.query().count(in: store) == 0)
    }

    @Test(arguments: ["willSave", "didSave", "willDelete", "didDelete"])
    func aHookThatThrows_undoesItsStatementAlone(_ hook: String) throws {
        let refused = Node(id: "r", action: "\(hook) throws")
        let graph = Node(id: "a", children: .relation([Node(id: "b", children: .relation([refused])), Node(id: "c")]))
        if hook.hasSuffix("Delete") { try graph.save(to: store) }
        try store.write { context in
            try Node(id: "before").save(to: context)
            let calls = try context.hookCalls()
            let nodes = try Node.query().resolve(in: context)
            func expectUndone(_ change: () throws -> Void) throws {
                #expect(throws: Refused(hook: hook), performing: change)
                #expect(try context.hookCalls() == calls)
                #expect(try Node.query().resolve(in: context) == nodes)
                #expect(try Node.links("children", of: "b", in: context).count == (hook.hasSuffix("Delete") ? 1 : 0))
            }
            if hook.hasSuffix("Delete") {
                try expectUndone { try Node(id: "a").delete(from: context) }
                try expectUndone { try Node.query().delete(in: context) }
                try expectUndone { try Node.delete(id: "a", from: context) }
                try expectUndone { try context.delete(Node(id: "r")) }
                try expectUndone { try context.delete(Node.self, key: "a", ignoringDamage: true) }
                try expectUndone { try Node(id: "a").delete(\.$children, from: context) }
            } else {
                try expectUndone { try graph.save(to: context) }
                try expectUndone { try [Node(id: "x"), graph].save(to: context) }
                try expectUndone { try context.insert(graph) }
                try expectUndone { try context.insert(contentsOf: [Node(id: "x"), graph]) }
                try expectUndone { try graph.save(\.$children, to: context) }
                try expectUndone { try Node.query().update(in: context) { $0.action = "\(hook) throws" } }
            }
            try Node(id: "after").save(to: context)
        }
        #expect(
            try Node.query().keys(in: store).filter { ["after", "before", "x"].contains($0) } == ["after", "before"])
        try store.expectIntactLinks()
    }

    @Test func anErrorCaughtInAHook_undoesTheInnerStatementAlone() throws {
        try Node(id: "a", action: "try a refused child").save(to: store)
        #expect(try Node.query().keys(in: store) == ["a", "kept"])
        #expect(try store.hookCalls() == ["willSave a", "willSave kept", "didSave kept r", "didSave a r"])
        #expect(try Node.links("children", of: "refused", in: store) == [])
        try store.expectIntactLinks()
    }

    @Test func aHook_cannotUseTheOuterContext() throws {
        try store.write { context in
            Thread.current.threadDictionary["outer context"] = context
            defer { Thread.current.threadDictionary["outer context"] = nil }
            let error = #expect(throws: StoreError.self) {
                try Node(id: "a", action: "use the outer context").save(to: context)
            }
            guard case .transaction(.nestedTransactionOpen)? = error else { throw Refused() }
            try Node(id: "b").save(to: context)
        }
        #expect(try Node.query().keys(in: store) == ["b"])
    }

    // MARK: Hooks and the rules

    @Test func aHook_mayDetachOrDeleteFirst() throws {
        try Node(id: "top", action: "detach its children", children: .relation([Node(id: "1")])).save(to: store)
        try Node(id: "top").delete(from: store)
        #expect(try Node.query().keys(in: store) == ["1"])
        // The first child takes the second out of the list of its parent, so the cascade leaves it.
        try Node(
            id: "top", children: .relation([Node(id: "1", action: "detach the next"), Node(id: "2"), Node(id: "3")])
        )
        .save(to: store)
        try Node(id: "top").delete(from: store)
        #expect(try Node.query().keys(in: store) == ["2"])
        // The first child deletes its sibling, which the cascade would have deleted next.
        try Node(
            id: "top", children: .relation([Node(id: "1", action: "delete first"), Node(id: "2", text: "victim")])
        )
        .save(to: store)
        try Node(id: "top").delete(from: store)
        #expect(try Node.query().count(in: store) == 0)
        try store.expectIntactLinks()
    }

    @Test(arguments: ["save another child", "save another first child", "save itself again"])
    func aHookThatFeedsTheCascade_endsWithIt(_ action: String) throws {
        let children = ["1", "2", "3"].map { Node(id: $0, action: action) }
        try Node(id: "top", children: .relation(children)).save(to: store)
        try Node(id: "top").delete(from: store)
        let new = action == "save itself again" ? ["1", "2", "3"] : ["1+", "2+", "3+"]
        #expect(try Node.query().keys(in: store) == new)
        try store.expectIntactLinks()
    }

    @Test func whatAHookHasSaved_isUndoneWithTheNestedTransaction() throws {
        struct Stop: Error {}
        try store.write { context in
            try? context.nested { context in
                try Node(id: "a", action: "try a refused child").save(to: context)
                throw Stop()
            }
            try Node(id: "b").save(to: context)
        }
        #expect(try Node.query().keys(in: store) == ["b"])
        #expect(try store.hookCalls() == ["willSave b", "didSave b r"])
    }
}
