// Relations in SQLite through GRDB's fast path: foreign keys with indexes, cached statements, and arguments without
// validation. SQLite itself deletes the messages of a chat, and their attachments.

import Foundation
import GRDB

class GRDBRelatingPeer: RelatingPeer, @unchecked Sendable {
    let pool: DatabasePool

    required init(at place: Place) throws {
        pool = try GRDBPeer.pool(
            at: place,
            schema: """
                CREATE TABLE IF NOT EXISTS chat (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
                CREATE TABLE IF NOT EXISTS message (
                    id INTEGER PRIMARY KEY, text TEXT NOT NULL, sent INTEGER NOT NULL,
                    chatId INTEGER REFERENCES chat ON DELETE CASCADE, chatPosition INTEGER);
                CREATE INDEX IF NOT EXISTS messageChat ON message (chatId, chatPosition);
                CREATE TABLE IF NOT EXISTS attachment (
                    id INTEGER PRIMARY KEY, name TEXT NOT NULL,
                    messageId INTEGER UNIQUE REFERENCES message ON DELETE CASCADE);
                CREATE TABLE IF NOT EXISTS member (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                CREATE TABLE IF NOT EXISTS authorship (
                    messageId INTEGER PRIMARY KEY, memberId INTEGER NOT NULL REFERENCES member ON DELETE CASCADE,
                    position INTEGER NOT NULL);
                CREATE INDEX IF NOT EXISTS authorshipMember ON authorship (memberId, position);
                """)
    }

    // MARK: Saving

    func save(_ chats: [Chat]) throws {
        try pool.write { database in
            let chatStatement = try database.cachedStatement(
                sql: "INSERT INTO chat VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title")
            let release = try database.cachedStatement(
                sql: "UPDATE message SET chatId = NULL, chatPosition = NULL WHERE chatId = ? AND chatPosition >= ?")
            for chat in chats {
                chatStatement.setUncheckedArguments([chat.id, chat.title])
                try chatStatement.execute()
                guard let messages = chat.messages else { continue }
                for (position, message) in messages.enumerated() {
                    try Self.save(message, chat: chat.id, position: position, database)
                }
                release.setUncheckedArguments([chat.id, messages.count])
                try release.execute()
            }
        }
    }

    private static func save(_ message: Message, chat: Int64, position: Int, _ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO message VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET text = excluded.text, sent = excluded.sent,
                    chatId = excluded.chatId, chatPosition = excluded.chatPosition
                """)
        statement.setUncheckedArguments([message.id, message.text, message.sent, chat, position])
        try statement.execute()
        guard let attachment = message.attachment else { return }
        let attach = try database.cachedStatement(
            sql: """
                INSERT INTO attachment VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, messageId = excluded.messageId
                """)
        attach.setUncheckedArguments([attachment.id, attachment.name, message.id])
        try attach.execute()
    }

    func saveConcurrently(_ tasks: [[Message]]) async throws {
        try await withThrowingTaskGroup { group in
            for messages in tasks {
                group.addTask { [pool] in
                    for message in messages {
                        try await pool.write { database in
                            let last = try database.cachedStatement(
                                sql: "SELECT MAX(chatPosition) FROM message WHERE chatId = ?")
                            let chat = message.$chat.id ?? 0
                            let position = try Int.fetchOne(last, arguments: [chat]) ?? -1
                            try Self.save(message, chat: chat, position: position + 1, database)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Deletes a changed list, and inserts it again.
    func replace(_ lists: [MessageList]) throws {
        try pool.write { database in
            let member = try database.cachedStatement(sql: "INSERT OR IGNORE INTO member VALUES (?, ?)")
            for list in lists {
                member.setUncheckedArguments([list.member, "A member"])
                try member.execute()
                let old = try database.cachedStatement(
                    sql: "SELECT messageId FROM authorship WHERE memberId = ? ORDER BY position")
                guard try Int64.fetchAll(old, arguments: [list.member]) != list.messages else { continue }
                try database.execute(sql: "DELETE FROM authorship WHERE memberId = ?", arguments: [list.member])
                try Self.insert(list, from: 0, database)
            }
        }
    }

    func append(_ lists: [MessageList]) throws {
        for list in lists {
            try pool.write { database in
                let last = try database.cachedStatement(
                    sql: "SELECT MAX(position) FROM authorship WHERE memberId = ?")
                let position = try Int.fetchOne(last, arguments: [list.member]) ?? -1
                try Self.insert(list, from: position + 1, database)
            }
        }
    }

    private static func insert(_ list: MessageList, from start: Int, _ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO authorship VALUES (?, ?, ?) ON CONFLICT (messageId) DO UPDATE SET
                    memberId = excluded.memberId, position = excluded.position
                """)
        for (index, message) in list.messages.enumerated() {
            statement.setUncheckedArguments([message, list.member, start + index])
            try statement.execute()
        }
    }

    // MARK: Deleting

    func deleteMember(_ id: Int64) throws {
        try pool.write { try $0.execute(sql: "DELETE FROM member WHERE id = ?", arguments: [id]) }
    }

    func deleteChat(_ id: Int64) throws {
        try pool.write { try $0.execute(sql: "DELETE FROM chat WHERE id = ?", arguments: [id]) }
    }

    // MARK: Contents

    func contents() throws -> ChatContents {
        try pool.read { database in
            func lists(_ sql: String) throws -> [Int64: [Int64]] {
                var lists: [Int64: [Int64]] = [:]
                let rows = try Row.fetchCursor(database, sql: sql)
                while let row = try rows.next() { lists[row[0], default: []].append(row[1]) }
                return lists
            }
            var contents = ChatContents()
            contents.chats = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM chat") ?? 0
            contents.messages = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM message") ?? 0
            contents.attachments = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM attachment") ?? 0
            contents.chatLists = try lists(
                "SELECT chatId, id FROM message WHERE chatId IS NOT NULL ORDER BY chatId, chatPosition")
            contents.authorLists = try lists("SELECT memberId, messageId FROM authorship ORDER BY memberId, position")
            contents.attached = try lists("SELECT messageId, id FROM attachment WHERE messageId IS NOT NULL")
                .compactMapValues(\.first)
            return contents
        }
    }

    func settle() throws {
        _ = try pool.writeWithoutTransaction { database in try database.checkpoint(.truncate) }
    }
}
