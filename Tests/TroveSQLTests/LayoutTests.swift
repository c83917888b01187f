// Records of older layouts, names of tables, and calls on many threads.

import Foundation
import Testing
import Trove
import TroveSQL

enum Older {
    @IndexKeyRecord(keyPrefix: 77, "id")
    struct Note: Sendable {
        let id: Int
        var text: String
        var count: Int16
        var gone: Bool
        var token: UUID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    }
}

enum Newer {
    @IndexKeyRecord(keyPrefix: 77, "id")
    struct Note: Sendable {
        #Index<Note>(\.count)
        let id: Int
        var count: Int?
        var text: String
        var added: String?
        var token: UUID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    }
}

enum Chats {
    @IndexKeyRecord("id")
    struct Message: Sendable {
        let id: Int
    }
}

enum Mails {
    @IndexKeyRecord("id")
    struct Message: Sendable {
        let id: Int
        var iD: Int
        var _key: Int
    }
}

struct LayoutTests {
    private struct Directory: ~Copyable {
        let path: String

        init() throws {
            path = NSTemporaryDirectory() + "trove-sql-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test func recordsOfAnOlderLayout_areConverted() throws {
        let directory = try Directory()
        let path = directory.path + "/store"
        do {
            let store = try Store(path: path, records: [Older.Note.self])
            for id in 0..<3 { try store.insert(Older.Note(id: id, text: "t\(id)", count: Int16(id * 10), gone: true)) }
            try store.close()
        }
        let store = try Store(path: path, records: [Newer.Note.self], migrations: .lazily)
        try store.insert(Newer.Note(id: 9, count: nil, text: "new", added: "yes"))
        let rows = try store.sql(
            "SELECT id, count, text, added FROM Note ORDER BY id", as: (Int, Int?, String, String?).self)
        #expect(rows.map(\.0) == [0, 1, 2, 9])
        #expect(rows.map(\.1) == [0, 10, 20, nil])
        #expect(rows.map(\.2) == ["t0", "t1", "t2", "new"])
        #expect(rows.map(\.3) == [nil, nil, nil, "yes"])
        #expect(try store.sql("SELECT id FROM Note WHERE count > 5 AND text < 't2'", as: Int.self) == [1])
        let tokens = try store.sql("SELECT token FROM Note", as: UUID.self)
        #expect(tokens == Array(repeating: Newer.Note(id: 0, text: "").token, count: 4))
        #expect(try Newer.Note.fetch(sql: "WHERE count = 20", in: store).map(\.id) == [2])
    }

    @Test func sharedNames_needTheTypeAround() throws {
        let store = try Store.temporary(records: [Chats.Message.self, Mails.Message.self])
        try store.insert(Chats.Message(id: 1))
        try store.insert(Mails.Message(id: 2, iD: 3, _key: 4))
        #expect(throws: SQLError.self) { try store.sql("SELECT * FROM Message") }
        #expect(try store.sql("SELECT id FROM \"Chats.Message\"", as: Int.self) == [1])
        #expect(try store.sql("SELECT id FROM \(Mails.Message.self)", as: Int.self) == [2])
        let row = try #require(try store.sql("SELECT * FROM \"mails.message\"").first)
        #expect(row.columns == ["id", "iD_2", "_key"])
        #expect(row.values == [.integer(2), .integer(3), .integer(4)])
        #expect(try Mails.Message.fetch(sql: "WHERE iD_2 = 3", in: store).map(\._key) == [4])
        #expect(try store.sql("SELECT length(__key) FROM \"Mails.Message\"", as: Int.self) == [8])
    }

    @Test func severalThreads_haveConnectionsOfTheirOwn() async throws {
        let store = try await Store.temporary(records: [User.self])
        try await store.write { context in
            for id in 0..<200 {
                try context.insert(User(id: id, name: "n", email: "\(id)", age: id % 10, city: "c"))
            }
        }
        let sums = try await withThrowingTaskGroup(of: Int.self) { group in
            for age in 0..<16 {
                group.addTask {
                    try await store.sql("SELECT count(*) FROM User WHERE age = \(age % 10)", as: Int.self)[0]
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums == Array(repeating: 20, count: 16))
    }

    @Test(.timeLimit(.minutes(60))) func aCancelledTask_endsItsStatement() async throws {
        let store = try await Store.temporary(records: [User.self])
        let (begun, signal) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await store.read { context in
                signal.yield()
                return try context.sql(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
                    as: Int.self)
            }
        }
        for await _ in begun { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func anExpiredRead_endsItsStatement() throws {
        let store = try Store.temporary(
            records: [User.self], options: StoreOptions(maximumReadAge: .milliseconds(20), endsOldReads: true))
        #expect(throws: StoreError.self) {
            try store.sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
        }
    }

    @Test func observedClosures_seeWhatTheirStatementsRead() async throws {
        let store = try await Store.temporary(records: [User.self])
        var iterator = store.observe { context in
            try context.sql("SELECT count(*) FROM User WHERE age > 5", as: Int.self)[0]
        }.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        try await store.insert(User(id: 1, name: "n", email: "e", age: 7, city: "c"))
        #expect(try await iterator.next() == 1)
    }
}
