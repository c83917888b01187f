// Graphs read from SQLite through GRDB's fast path: a cached statement for each level, rows read by column index, and
// graphs put together by hand.

import Foundation
import GRDB
import Trove

final class GRDBGraphPeer: GRDBRelatingPeer, GraphPeer, @unchecked Sendable {
    func save(_ contacts: [Contact]) throws {
        try pool.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE contact (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                    CREATE TABLE friendship (
                        contactId INTEGER NOT NULL, position INTEGER NOT NULL, friendId INTEGER NOT NULL,
                        PRIMARY KEY (contactId, position)) WITHOUT ROWID;
                    """)
            let contactStatement = try database.cachedStatement(sql: "INSERT INTO contact VALUES (?, ?)")
            let friendStatement = try database.cachedStatement(sql: "INSERT INTO friendship VALUES (?, ?, ?)")
            for contact in contacts {
                contactStatement.setUncheckedArguments([contact.id, contact.name])
                try contactStatement.execute()
                for (position, friend) in contact.$friends.ids.enumerated() {
                    friendStatement.setUncheckedArguments([contact.id, position, friend])
                    try friendStatement.execute()
                }
            }
        }
    }

    // MARK: Chats

    func chatsWithMessages(_ ids: [Int64]) throws -> Checksum {
        try chats(
            ids, "SELECT id, text, sent FROM message WHERE chatId = ? ORDER BY chatPosition", Message.init(row:))
    }

    func chatsWithAuthors(_ ids: [Int64]) throws -> Checksum {
        try chats(
            ids,
            """
            SELECT message.id, text, sent, member.id, name FROM message
            LEFT JOIN authorship ON messageId = message.id LEFT JOIN member ON member.id = memberId
            WHERE chatId = ? ORDER BY chatPosition
            """
        ) { row in
            var message = Message(row: row)
            if let id: Int64 = row[3] { message.$author = .relation(Member(id: id, name: row[4])) }
            return message
        }
    }

    private func chats(_ ids: [Int64], _ sql: String, _ message: (Row) -> Message) throws -> Checksum {
        try pool.read { database in
            let chatByID = try database.cachedStatement(sql: "SELECT id, title FROM chat WHERE id = ?")
            let messagesOfChat = try database.cachedStatement(sql: sql)
            var checksum = Checksum()
            for id in ids {
                chatByID.setUncheckedArguments([id])
                guard let row = try Row.fetchOne(chatByID) else { continue }
                messagesOfChat.setUncheckedArguments([id])
                var messages: [Message] = []
                let rows = try Row.fetchCursor(messagesOfChat)
                while let row = try rows.next() { messages.append(message(row)) }
                checksum.add(Chat(id: row[0], title: row[1], messages: .relation(messages)))
            }
            return checksum
        }
    }

    func allChatsWithAuthors() throws -> Checksum {
        try pool.read { database in
            var members: [Int64: ToOneRelation<Member, Relations.Mutual, Relations.Optional>] = [:]
            let memberRows = try Row.fetchCursor(try database.cachedStatement(sql: "SELECT id, name FROM member"))
            while let row = try memberRows.next() { members[row[0]] = .relation(Member(id: row[0], name: row[1])) }

            var messages: [Int64: [Message]] = [:]
            let messageRows = try Row.fetchCursor(
                try database.cachedStatement(
                    sql: """
                        SELECT message.id, text, sent, chatId, memberId FROM message
                        LEFT JOIN authorship ON messageId = message.id
                        WHERE chatId IS NOT NULL ORDER BY chatId, chatPosition
                        """))
            while let row = try messageRows.next() {
                var message = Message(row: row)
                if let id: Int64 = row[4], let member = members[id] { message.$author = member }
                messages[row[3], default: []].append(message)
            }

            var checksum = Checksum()
            let chatRows = try Row.fetchCursor(
                try database.cachedStatement(sql: "SELECT id, title FROM chat ORDER BY id"))
            while let row = try chatRows.next() {
                checksum.add(Chat(id: row[0], title: row[1], messages: .relation(messages[row[0]] ?? [])))
            }
            return checksum
        }
    }

    // MARK: Pages

    func pages(of member: Int64, after messages: [Int64]) throws -> Checksum {
        try pool.read { database in
            let page = try database.cachedStatement(
                sql: """
                    SELECT message.id, text, sent FROM authorship JOIN message ON message.id = messageId
                    WHERE memberId = ? AND position > (SELECT position FROM authorship WHERE messageId = ?)
                    ORDER BY position LIMIT \(Self.pageSize)
                    """)
            var checksum = Checksum()
            for message in messages {
                page.setUncheckedArguments([member, message])
                var found: [Message] = []
                let rows = try Row.fetchCursor(page)
                while let row = try rows.next() { found.append(Message(row: row)) }
                checksum.add(found)
            }
            return checksum
        }
    }

    // MARK: Contacts

    /// Reads all contacts and friendships once, and makes the levels from them.
    func allContacts() throws -> Checksum {
        try pool.read { database in
            var contacts: [Contact] = [], places: [Int64: Int] = [:]
            let rows = try Row.fetchCursor(
                try database.cachedStatement(sql: "SELECT id, name FROM contact ORDER BY id"))
            while let row = try rows.next() {
                places[row[0]] = contacts.count
                contacts.append(Contact(id: row[0], name: row[1]))
            }
            var friends: [Int64: [Int64]] = [:]
            let pairs = try Row.fetchCursor(
                try database.cachedStatement(
                    sql: "SELECT contactId, friendId FROM friendship ORDER BY contactId, position"))
            while let pair = try pairs.next() { friends[pair[0], default: []].append(pair[1]) }

            var level = contacts
            for index in level.indices { level[index].$friends = .ids(friends[level[index].id] ?? []) }
            for _ in 0..<2 {
                let below = level
                for index in level.indices {
                    let ids = friends[contacts[index].id] ?? []
                    level[index].$friends = .relation(ids.compactMap { id in places[id].map { below[$0] } })
                }
            }
            var checksum = Checksum()
            for contact in level { checksum.add(contact) }
            return checksum
        }
    }
}

extension Message {
    /// Creates a message from the columns `id`, `text` and `sent` at the beginning of a row.
    fileprivate init(row: Row) { self.init(id: row[0], text: row[1], sent: row[2]) }
}
