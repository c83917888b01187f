// The changes of statements in the history of a store.

import Foundation
import Testing
import Trove
import TroveSQL
import TroveTestSupport

struct HistoryWriteTests {
    @Test func statements_areInTheHistory_withTheAuthorOfTheirTransaction() throws {
        let store = try Store.temporary(
            records: [Author.self, HookCall.self],
            options: StoreOptions(history: .keep().keepingDeleted(Author.self, \.name).excluding(HookCall.self)))
        let token = try store.read { try $0.historyToken }
        try store.write(sql: "INSERT INTO Author VALUES (1, 'Ann', NULL), (2, 'Bob', NULL), (3, 'Cid', NULL)")
        try store.write(author: "sql") { context in
            try context.sql("UPDATE Author SET name = 'Anna' WHERE id <= 2")
            try context.sql("DELETE FROM Author WHERE id = 2")
            try context.sql("DELETE FROM Author WHERE id = 3")
            try context.sql("INSERT INTO Author VALUES (3, 'New', NULL)")
        }
        let commits = try store.read { try $0.history(after: token) }
        #expect(commits.map(\.author) == [nil, "sql"])
        let changes = try commits.map { try $0.changes(of: Author.self) }
        #expect(changes[0] == [.inserted(1), .inserted(2), .inserted(3)])
        #expect(changes[1].map(\.description) == ["updated(1)", "deleted(2)", "updated(3)"])
        guard case .deleted(2, let tombstone?) = changes[1][1] else {
            Issue.record("no tombstone")
            return
        }
        #expect(tombstone[\.name] == "Anna")
    }

    /// The command writes types by their stored layout.
    @Test func statementsOfUndeclaredTypes_areInTheHistory() throws {
        let directory = try TemporaryDirectory()
        let options = StoreOptions(history: .keep().keepingDeleted(Paper.self, \.title))
        var store = try Store(path: directory.path("store"), records: [Paper.self], options: options)
        for id in 1...3 {
            try store.insert(Paper(id: id, title: "Paper \(id)", body: nil, year: 2020, tags: [], code: nil))
        }
        let token = try store.read { try $0.historyToken }
        try store.close()
        store = try Store(path: directory.path("store"))
        var behavior = ConnectionOptions()
        behavior.writesStoredTypes = true
        try StatementCall.$options.withValue(behavior) {
            try store.write(sql: "UPDATE Paper SET year = 2021 WHERE id = 2")
            try store.write(sql: "DELETE FROM Paper WHERE id = 3")
            try store.write(sql: "INSERT INTO Paper VALUES (4, 'Paper 4', NULL, 2021, '[]', NULL)")
        }
        let commits = try store.read { try $0.history(after: token) }
        let changes = try commits.map { try $0.changes(of: Paper.self) }
        #expect(changes.map { $0.map(\.description) } == [["updated(2)"], ["deleted(3)"], ["inserted(4)"]])
        #expect(commits[1].storedChanges.first?.tombstone == StoredFields([.init("title", .string("Paper 3"))]))
    }
}
