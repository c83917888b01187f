// Relations in SQLite through GRDB's Codable records with associations, as most of its users write them.

import Foundation
import GRDB

/// The records of `GRDBCodableRelatingPeer`.
private enum Records {
    struct Chat: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "chat"
        static let messages = hasMany(Message.self)
        var id: Int64
        var title: String

        var messages: QueryInterfaceRequest<Message> { request(for: Chat.messages).order(Column("chatPosition")) }
    }

    struct Message: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "message"
        static let chat = belongsTo(Chat.self)
        var id: Int64
        var text: String
        var sent: Int
        var chatId: Int64?
        var chatPosition: Int?
    }

    struct Attachment: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "attachment"
        static let message = belongsTo(Message.self)
        var id: Int64
        var name: String
        var messageId: Int64?
    }

    struct Member: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "member"
        var id: Int64
        var name: String
    }

    struct Authorship: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "authorship"
        var messageId: Int64
        var memberId: Int64
        var position: Int

        static func list(of member: Int64) -> QueryInterfaceRequest<Authorship> {
            filter(Column("memberId") == member).order(Column("position"))
        }
    }
}

final class GRDBCodableRelatingPeer: GRDBRelatingPeer, @unchecked Sendable {
    override func save(_ chats: [Chat]) throws {
        try pool.write { database in
            for chat in chats {
                let record = Records.Chat(id: chat.id, title: chat.title)
                try record.upsert(database)
                guard let messages = chat.messages else { continue }
                for (position, message) in messages.enumerated() {
                    try Self.save(message, chat: chat.id, position: position, database)
                }
                let ids = Set(messages.map(\.id))
                for var other in try record.messages.fetchAll(database) where !ids.contains(other.id) {
                    (other.chatId, other.chatPosition) = (nil, nil)
                    try other.update(database)
                }
            }
        }
    }

    private static func save(_ message: Message, chat: Int64, position: Int, _ database: Database) throws {
        try Records.Message(
            id: message.id, text: message.text, sent: message.sent, chatId: chat, chatPosition: position
        ).upsert(database)
        guard let attachment = message.attachment else { return }
        try Records.Attachment(id: attachment.id, name: attachment.name, messageId: message.id).upsert(database)
    }

    override func saveConcurrently(_ tasks: [[Message]]) async throws {
        try await withThrowingTaskGroup { group in
            for messages in tasks {
                group.addTask { [pool] in
                    for message in messages {
                        try await pool.write { database in
                            let chat = message.$chat.id ?? 0
                            let record = Records.Chat(id: chat, title: "")
                            let last = try record.messages.reversed().fetchOne(database)?.chatPosition ?? -1
                            try Self.save(message, chat: chat, position: last + 1, database)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    override func replace(_ lists: [MessageList]) throws {
        try pool.write { database in
            for list in lists {
                try Records.Member(id: list.member, name: "A member").upsert(database)
                let old = try Records.Authorship.list(of: list.member).fetchAll(database)
                guard old.map(\.messageId) != list.messages else { continue }
                try Records.Authorship.list(of: list.member).deleteAll(database)
                try Self.insert(list, from: 0, database)
            }
        }
    }

    override func append(_ lists: [MessageList]) throws {
        for list in lists {
            try pool.write { database in
                let last = try Records.Authorship.list(of: list.member).reversed().fetchOne(database)
                try Self.insert(list, from: (last?.position ?? -1) + 1, database)
            }
        }
    }

    private static func insert(_ list: MessageList, from start: Int, _ database: Database) throws {
        for (index, message) in list.messages.enumerated() {
            try Records.Authorship(messageId: message, memberId: list.member, position: start + index).upsert(database)
        }
    }

    override func deleteMember(_ id: Int64) throws {
        _ = try pool.write { try Records.Member.deleteOne($0, key: id) }
    }

    override func deleteChat(_ id: Int64) throws {
        _ = try pool.write { try Records.Chat.deleteOne($0, key: id) }
    }
}
