// Deep graphs and hooks that call themselves: an error at a limit, and never the end of a small stack.

import Testing
import TroveTestSupport

@testable import Trove

@EntityModel
private struct Link {
    let id: Int
    @Relationship(inverse: \.previous) var next: Link?
    @Relationship(inverse: \.next) var previous: Link?

    static func chain(_ length: Int) -> Link {
        (1..<length).reversed().reduce(Link(id: length)) { Link(id: $1, next: .relation($0)) }
    }
}

@Suite("Depth of graphs") struct GraphDepthTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Link.self, Node.self, HookCall.self]) }

    private static func limit(_ id: Int) -> StoreError {
        .entity(.graphTooDeep(type: "Link", key: StoredKey(id, of: Link.self), limit: 1000))
    }

    private static func saveChains(to store: Store) throws {
        #expect(throws: limit(1001)) { try Link.chain(1001).save(to: store) }
        #expect(throws: limit(1000)) { try store.insert(Link(id: 0, next: .relation(Link.chain(1000)))) }
        #expect(try Link.query().count(in: store) == 0)
        try Link.chain(1000).save(to: store)
        #expect(try Link.query().count(in: store) == 1000)
        // The owner of a relation saved alone is a level too.
        try Link(id: 0, next: .relation(Link.chain(999))).save(\.$next, to: store)
        #expect(throws: limit(1000)) {
            try Link(id: 0, next: .relation(Link.chain(1000))).save(\.$next, to: store)
        }
    }

    @Test func aGraphOfAThousandLevels_isSaved_onAnyThread() async throws {
        let store = store
        try await MainActor.run { try Self.saveChains(to: store) }
        try await Link.query().delete(in: store)
        try onAnotherThread(stackSize: smallStackSize) { try Self.saveChains(to: store) }
        try await Link.query().delete(in: store)
        try await Link.chain(1000).save(to: store)
        await #expect(throws: Self.limit(1001)) { try await Link.chain(1001).save(to: store) }
        #expect(try await Link.query().count(in: store) == 1000)
    }

    private static func hookLimit(_ id: String = "1") -> StoreError {
        .entity(.hooksTooDeep(type: "Node", key: StoredKey(id, of: Node.self), limit: 32))
    }

    private static func callHooksWithoutEnd(_ store: Store) throws {
        for action in ["save itself", "save itself after", "save its parent"] {
            let parents = String(repeating: "parent of ", count: 32)
            let id = action == "save its parent" ? parents + "1" : "1"
            #expect(throws: hookLimit(id)) { try Node(id: "1", action: action).save(to: store) }
            #expect(throws: hookLimit(id)) { try store.insert(contentsOf: [Node(id: "1", action: action)]) }
            #expect(throws: hookLimit(id)) {
                try Node(id: "0", children: .relation([Node(id: "1", action: action)])).save(to: store)
            }
            #expect(try Node.query().count(in: store) == 0)
        }
        try Node(id: "1", action: "delete itself").save(to: store)
        #expect(throws: hookLimit()) { try Node(id: "1").delete(from: store) }
        #expect(throws: hookLimit()) { try Node.query().delete(in: store) }
        #expect(try Node.query().count(in: store) == 1)
        // The error leaves the transaction usable.
        try store.write { context in
            #expect(throws: hookLimit()) { try Node(id: "1", action: "save itself").save(to: context) }
            try Node(id: "1").save(to: context)
        }
        #expect(try Node.query().resolve(in: store) == [Node(id: "1")])
    }

    @Test func hooksThatCallThemselves_endAtALimit_onAnyThread() async throws {
        let store = store
        try await MainActor.run { try Self.callHooksWithoutEnd(store) }
        try await Node.query().delete(in: store)
        try onAnotherThread(stackSize: smallStackSize) { try Self.callHooksWithoutEnd(store) }
        await #expect(throws: Self.hookLimit("2")) {
            try await Node(id: "2", action: "save itself").save(to: store)
        }
        await #expect(throws: Self.hookLimit("2")) {
            try await store.write { try Node(id: "2", action: "save itself after").save(to: $0) }
        }
        #expect(try await Node.query().count(in: store) == 1)
    }
}
