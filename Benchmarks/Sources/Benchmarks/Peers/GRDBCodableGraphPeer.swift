// Graphs read from SQLite through GRDB's Codable records with `including`, as most of its users write them.

import Foundation
import GRDB

/// The records of `GRDBCodableGraphPeer`.
private enum Records {
    struct Chat: Codable, FetchableRecord, TableRecord {
        static let databaseTableName = "chat"
        static let messages = hasMany(Message.self).order(Column("chatPosition")).forKey("messages")
        var id: Int64
        var title: String
    }

    struct Message: Codable, FetchableRecord, TableRecord {
        static let databaseTableName = "message"
        static let chat = belongsTo(Chat.self)
        static let authorship = hasOne(Authorship.self, using: ForeignKey([Column("messageId")]))
        static let author = hasOne(Member.self, through: authorship, using: Authorship.member).forKey("author")
        var id: Int64
        var text: String
        var sent: Int
    }

    struct Member: Codable, FetchableRecord, TableRecord {
        static let databaseTableName = "member"
        static let authorships = hasMany(Authorship.self)
        var id: Int64
        var name: String
    }

    struct Authorship: Codable, FetchableRecord, TableRecord {
        static let databaseTableName = "authorship"
        static let member = belongsTo(Member.self)
        static let message = belongsTo(Message.self, using: ForeignKey([Column("messageId")]))
        var messageId: Int64
        var memberId: Int64
        var position: Int
    }

    /// A chat with its messages.
    struct ChatInfo: Decodable, FetchableRecord {
        var chat: Chat
        var messages: [MessageInfo]
    }

    /// A message, with its author if the request includes it.
    struct MessageInfo: Decodable, FetchableRecord {
        var message: Message
        var author: Member?
    }
}

final class GRDBCodableGraphPeer: GRDBRelatingPeer, GraphPeer, @unchecked Sendable {
    func save(_ contacts: [Contact]) throws { throw Self.noContacts }

    func chatsWithMessages(_ ids: [Int64]) throws -> Checksum {
        try chats(ids, Records.Chat.including(all: Records.Chat.messages))
    }

    func chatsWithAuthors(_ ids: [Int64]) throws -> Checksum { try chats(ids, Self.chatsWithAuthors) }

    private static let chatsWithAuthors = Records.Chat.including(
        all: Records.Chat.messages.including(optional: Records.Message.author))

    private func chats(_ ids: [Int64], _ request: QueryInterfaceRequest<Records.Chat>) throws -> Checksum {
        try pool.read { database in
            var checksum = Checksum()
            for id in ids {
                let one = request.filter(Column("id") == id).asRequest(of: Records.ChatInfo.self)
                if let chat = try one.fetchOne(database) { checksum.add(chat) }
            }
            return checksum
        }
    }

    func allChatsWithAuthors() throws -> Checksum {
        let request = Self.chatsWithAuthors.order(Column("id")).asRequest(of: Records.ChatInfo.self)
        var checksum = Checksum()
        for chat in try pool.read(request.fetchAll) { checksum.add(chat) }
        return checksum
    }

    func pages(of member: Int64, after messages: [Int64]) throws -> Checksum {
        try pool.read { database in
            var checksum = Checksum()
            for message in messages {
                guard let last = try Records.Authorship.fetchOne(database, key: message) else { continue }
                let page = Records.Authorship
                    .filter(Column("memberId") == member && Column("position") > last.position)
                    .order(Column("position")).limit(Self.pageSize)
                    .including(required: Records.Authorship.message)
                    .asRequest(of: Records.MessageInfo.self)
                checksum.add(try page.fetchAll(database))
            }
            return checksum
        }
    }

    func allContacts() throws -> Checksum { throw Self.noContacts }

    private static var noContacts: BenchmarkError { BenchmarkError("grdb-codable has no contacts") }
}

extension Checksum {
    fileprivate mutating func add(_ chat: Records.ChatInfo) {
        add(chat.chat.id &+ Int64(chat.chat.title.utf8.count))
        add(chat.messages)
    }

    fileprivate mutating func add(_ messages: [Records.MessageInfo]) {
        add(messages.count)
        for info in [messages.first, messages.last] {
            guard let info else { continue }
            let message = info.message
            add(message.id &+ Int64(message.sent) &+ Int64(message.text.utf8.count))
            if let author = info.author { add(author.id &+ Int64(author.name.utf8.count)) }
        }
    }
}
