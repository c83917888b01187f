// Values that contain values of their own type, nested up to the limit and far beyond it, on a small stack: some
// systems give 512 KB to a thread, and frames are largest in a debug build.

import Foundation
import Testing
import Trove
import TroveCoding
import TroveTestSupport

@RecordValue
private indirect enum DeepTree: Hashable {
    case leaf(Int)
    case node([DeepTree])
    case pair(DeepTree, DeepTree?)
}

@RecordValue
private struct Ring: Hashable {
    var links: [Link]
}

@RecordValue
private struct Link: Hashable {
    var name: String
    var rings: [String: Ring]
}

@IndexKeyRecord("id")
private struct Plain {
    let id: Int
    var tree: DeepTree
    var ring: Ring
    var name: String = ""
}

@IndexKeyRecord("id")
private struct Indexed {
    #Index<Indexed>(\.name)
    #Index<Indexed>(\.tree)

    let id: Int
    var tree: DeepTree
    var ring: Ring
    var name: String = ""
}

/// Deep values, which are made and released on a large stack.
private final class Deep: Sendable {
    let tree: DeepTree
    let ring: Ring

    init(levels: Int) {
        tree = (1..<levels).reduce(.leaf(1)) { tree, level in
            switch level % 3 {
            case 0: .node([tree])
            case 1: .pair(tree, nil)
            default: .pair(.leaf(level), tree)
            }
        }
        ring = (0..<levels / 2 - 1).reduce(Ring(links: [])) { ring, level in
            Ring(links: [Link(name: "\(level)", rings: ["a": ring])])
        }
    }
}

@Suite("Deep values in a store") struct NestedDepthTests {
    private static let smallStack = 512 << 10

    /// Calls a closure on a small stack, with deep values.
    private func withDeep(levels: Int, stack: Int = smallStack, _ body: @escaping @Sendable (Deep) throws -> Void)
        throws
    {
        try onAnotherThread(stackSize: 256 << 20) {
            let deep = Deep(levels: levels)
            try onAnotherThread(stackSize: stack) { try body(deep) }
            withExtendedLifetime(deep) {}
        }
    }

    private func expectTooDeep(_ body: () throws -> Any) {
        let error = #expect(throws: StoreError.self) { _ = try body() }
        guard case .record(.unencodable(_, let reason))? = error, case .tooDeep = reason.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func theDeepestValues_areStoredAndFound() throws {
        try withDeep(levels: ValueWriter.depthLimit) { deep in
            let store = try Store.temporary()
            try store.insert(Plain(id: 1, tree: deep.tree, ring: deep.ring))
            try store.insert(contentsOf: [Indexed(id: 1, tree: deep.tree, ring: deep.ring)])
            #expect(try Query<Plain>().resolve(in: store)[0].tree == deep.tree)
            #expect(try Plain.filter(\.ring == deep.ring).update(in: store) { $0.name = "x" } == 1)
            #expect(try Indexed.filter(\.tree == deep.tree).update(in: store) { $0.name = "x" } == 1)
            #expect(try Indexed.filter(\.tree == deep.tree).explain(in: store).hasPrefix("scan"))
            #expect(try store.check(Indexed.self) == [])
            let sizes = try store.read { context in
                try context.storedTypes().map { type in
                    var size = 0
                    try context.forEachStoredRecord(of: type) { record in
                        size += record.fields.json.utf8.count
                        return true
                    }
                    return size
                }
            }
            #expect(sizes.allSatisfy { $0 > 1_000 })
            #expect(try store.delete(Indexed.self, key: 1))
        }
    }

    @Test(arguments: [ValueWriter.depthLimit + 3, 1_000, 10_000], [smallStack, 8 << 20])
    func deeperValues_areRefused_andTheTransactionGoesOn(levels: Int, stack: Int) throws {
        try withDeep(levels: levels, stack: stack) { deep in
            let store = try Store.temporary()
            try store.write { context in
                expectTooDeep { try context.insert(Plain(id: 1, tree: deep.tree, ring: Ring(links: []))) }
                expectTooDeep { try context.insert(Plain(id: 1, tree: .leaf(1), ring: deep.ring)) }
                expectTooDeep { try context.insert(Indexed(id: 1, tree: deep.tree, ring: deep.ring)) }
                try context.insert(Plain(id: 2, tree: .leaf(1), ring: Ring(links: [])))
                expectTooDeep { try Plain.filter(\.id == 2).update(in: context) { $0.tree = deep.tree } }
                expectTooDeep { try Plain.filter(\.ring == deep.ring).count(in: context) }
                expectTooDeep { try Indexed.filter(\.tree == deep.tree).explain(in: context) }
                let record = Plain(id: 1, tree: deep.tree, ring: deep.ring)
                expectTooDeep { try Plain.filter(.everything).sorted(by: \.name).after(record).resolve(in: context) }
            }
            #expect(try Query<Plain>().resolve(in: store).map(\.id) == [2])
            #expect(throws: CodingError.self) { try ValueWriter.bytes(of: deep.tree) }
        }
    }
}
