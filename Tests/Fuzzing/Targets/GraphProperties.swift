// The properties of nested queries over a store whose links and records have any bytes. Every run ends with a result or
// throws a typed error. If a check finds nothing, every list equals the related entities of its owner.
//
//     input = count of shape bytes, modulo 64 · shape (GraphShape.swift) · edits (LinkProperties.swift)

import Foundation
import Trove
import TroveTestSupport

enum GraphProperties {
    static func check(_ input: [UInt8]) throws {
        guard let count = input.first.map({ Int($0) % 64 }), input.count > count else { return }
        let (shape, edits) = (input[1..<count + 1], Array(input[(count + 1)...]))
        let sample = try LinkSample.sound.get()
        let directory = try TemporaryDirectory()
        let path = directory.path("graphs")
        try Data(sample.bytes).write(to: URL(fileURLWithPath: path))
        try sample.apply(edits, to: path, changesNodes: true)
        guard let store = try LinkProperties.valueOrStoreError({ try LinkProperties.open(path) }) else { return }
        for root in UInt8(0)..<5 { try run(shape, root, store) }
        let differences = try LinkProperties.valueOrStoreError { try store.check() }
        guard differences.map(\.isEmpty) ?? false else { return }
        // A check does not read the records of a type without indexes.
        for id in UInt8(0)..<4 { _ = try LinkProperties.valueOrStoreError { try compare(id, store) } }
    }

    /// Runs a shape for all nodes, for some of them, for one, and for those that a relation leads to.
    private static func run(_ shape: ArraySlice<UInt8>, _ root: UInt8, _ store: Store) throws {
        var shape = GraphShape(shape)
        _ = try LinkProperties.valueOrStoreError {
            switch root {
            case 0: try check(try shape.requesting(of: LinkedNode.query()).resolve(in: store))
            case 1: try check(try shape.requesting(of: LinkedNode.query([2, 0, 9, 1, 0])).resolve(in: store))
            case 2: try check(try shape.requesting(of: LinkedNode.query(1)).resolve(in: store).map { [$0] } ?? [])
            case 3:
                let friends = LinkedNode.query().related(\.$friends)
                var found: [LinkedNode] = []
                try shape.requesting(of: shape.page(of: friends)).forEach(in: store) { found.append($0) }
                try check(found)
            default:
                try store.read { context in
                    let liked = LinkedNode.filter(.linked(\.$likes, to: 1)).with(.entities, .schemaFragments, .ids)
                    try check(try liked.resolve(in: context))
                }
            }
        }
    }

    /// Visits all nodes of a result.
    private static func check(_ nodes: [LinkedNode]) throws {
        var rest = nodes
        while let node = rest.popLast() {
            for list in [node.children, node.follows, node.followers, node.friends, node.likes] { rest += list ?? [] }
            rest += [node.next, node.previous, node.parent, node.partner, node.favorite].compactMap(\.self)
            try require(node.$next.isNone == (node.$next.id == nil), "a target has no id")
        }
    }

    /// Compares the relations of a node in a store without a finding with the nodes that they lead to.
    private static func compare(_ id: UInt8, _ store: Store) throws {
        let query = LinkedNode.query(id)
        guard let node = try query.with(.entities).resolve(in: store) else { return }
        func compare<Direction, Cardinality, Constraints>(
            _ path: KeyPath<LinkedNode, Relation<LinkedNode, Direction, Cardinality, Constraints>>
        ) throws {
            let related = try query.related(path).resolve(in: store).map(\.id)
            let found = node[keyPath: path].ids
            try require(related == found, "related to \(id) by \(path) are \(related), and not \(found)")
        }
        try compare(\.$next)
        try compare(\.$previous)
        try compare(\.$children)
        try compare(\.$parent)
        try compare(\.$follows)
        try compare(\.$followers)
        try compare(\.$friends)
        try compare(\.$partner)
        try compare(\.$favorite)
        try compare(\.$likes)
    }
}
