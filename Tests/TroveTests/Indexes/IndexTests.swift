// The stored index entries equal the entries derived from the records, after every kind of change.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Indexes") struct IndexTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ policy: MigrationPolicy = .onOpen) throws -> Store {
        try Store(
            path: directory.path("users.trove"), records: [IndexedUser.self], migrations: policy,
            options: StoreOptions(durability: .noSync))
    }

    private func user(_ id: Int, name: String = "a", age: Int = 1, email: String? = nil) -> IndexedUser {
        IndexedUser(id: id, name: name, age: age, email: email)
    }

    @Test func randomChanges_leaveEntriesThatFollowFromTheRecords() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        let store = try open()
        var model: [Int: IndexedUser] = [:]
        for step in 0..<400 {
            let id = Int.random(in: 0..<40, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let name =
                    String(repeating: "n", count: [0, 3, 480, 600].randomElement(using: &random) ?? 0) + "\(id % 7)"
                let email = Bool.random(using: &random) ? "mail\(Int.random(in: 0..<30, using: &random))" : nil
                let new = user(id, name: name, age: Int.random(in: 0..<5, using: &random), email: email)
                let isTaken = email != nil && model.values.contains { $0.email == email && $0.id != id }
                do {
                    try store.insert(new)
                    #expect(!isTaken, comment)
                    model[id] = new
                } catch StoreError.record(.notUnique) {
                    #expect(isTaken, comment)
                }
            case 6:
                let wasThere = model.removeValue(forKey: id) != nil
                #expect(try store.delete(IndexedUser.self, key: id) == wasThere, comment)
            case 7:
                let query = Query<IndexedUser>(last: .range(id..<id + 3))
                let expected = model.keys.filter { (id..<id + 3).contains($0) }
                #expect(try query.delete(in: store) == expected.count, comment)
                for key in expected { model[key] = nil }
            case 8:
                #expect(throws: CancellationError.self, comment) {
                    try store.write { context in
                        try context.insert(user(id, name: "undone"))
                        throw CancellationError()
                    }
                }
            default:
                try store.write { context in
                    #expect(throws: CancellationError.self, comment) {
                        try context.nested { context in
                            try context.delete(IndexedUser.self, key: id)
                            throw CancellationError()
                        }
                    }
                }
            }
            guard step % 20 == 19 else { continue }
            #expect(try store.check(IndexedUser.self) == [], comment)
            let stored = try Query<IndexedUser>().resolve(in: store)
            #expect(stored == model.values.sorted { $0.id < $1.id }, comment)
        }
    }
}
