// The links that statements find in the catalog: a committed nested transaction keeps them, and an undone one forgets
// them.

import Testing

@testable import Trove

@EntityModel
private struct KnownCrew {
    let id: Int
    @Relationship(inverse: \.crews) var sailors: [KnownSailor]?
}

@EntityModel
private struct KnownSailor {
    let id: Int
    @Relationship(inverse: \.sailors) var crews: [KnownCrew]?
}

@Suite("Links found by nested transactions") struct KnownLinkTests {
    private struct Undo: Error {}

    private let store: Store

    init() throws { store = try Store.temporary(records: [KnownCrew.self, KnownSailor.self]) }

    private func save(_ crew: Int, _ sailors: [Int], to context: TransactionContext) throws {
        try KnownCrew(id: crew, sailors: .relation(sailors.map { KnownSailor(id: $0) })).save(to: context)
    }

    private func expect(_ crews: [Int: [Int]]) throws {
        for (crew, sailors) in crews {
            #expect(try KnownCrew.query(crew).related(\.$sailors).keys(in: store) == sailors)
        }
        #expect(try store.check().isEmpty && store.relationNotes().isEmpty)
    }

    @Test(arguments: [1, 2, 3]) func aRelationThatWasUndone_isCreatedAgain(depth: Int) throws {
        func nest(_ depth: Int, _ context: TransactionContext, _ body: (TransactionContext) throws -> Void) throws {
            if depth == 0 { return try body(context) }
            try context.nested { try nest(depth - 1, $0, body) }
        }
        try store.write { context in
            #expect(throws: Undo.self) {
                try nest(depth, context) { inner in
                    try save(1, [1, 2], to: inner)
                    throw Undo()
                }
            }
            try save(1, [3], to: context)
            try nest(depth, context) { try save(2, [3, 4], to: $0) }
            try save(3, [4], to: context)
        }
        try expect([1: [3], 2: [3, 4], 3: [4]])
    }

    @Test func aTransactionAroundAnUndoneOne_keepsItsOwn() throws {
        try store.write { context in
            try context.nested { middle in
                #expect(throws: Undo.self) {
                    try middle.nested { inner in
                        try save(1, [1], to: inner)
                        throw Undo()
                    }
                }
                try save(2, [2], to: middle)
            }
            #expect(throws: Undo.self) {
                try context.nested { middle in
                    try middle.nested { try save(2, [5], to: $0) }
                    throw Undo()
                }
            }
            _ = try KnownCrew(id: 2).delete(from: context)
            try save(3, [2, 5], to: context)
        }
        try expect([1: [], 2: [], 3: [2, 5]])
    }
}
