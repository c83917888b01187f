// Relations kept by hand, with plain calls of liblmdb: the same tables as Trove's, with the same bytes and the same
// guarantees. A saved record is compared with the stored record in place, a list with the stored list, and a message
// leaves its former list when it is added to another.

import CTroveLMDB
import Foundation

final class LiblmdbRelatingPeer: RelatingPeer, @unchecked Sendable {
    let environment: LiblmdbEnvironment
    let chats: MDB_dbi
    let messages: MDB_dbi
    private let attachments: MDB_dbi
    let members: MDB_dbi
    let contacts: MDB_dbi
    let chatLinks: LinkTables
    let authorLinks: LinkTables
    private let attachmentLinks: LinkTables
    let friendLinks: LinkTables

    /// The records of links, with a message first; and the rows, with the other end first.
    struct LinkTables {
        let links: MDB_dbi
        let rows: MDB_dbi
    }

    init(at place: Place) throws {
        environment = try LiblmdbEnvironment(
            at: place,
            tables: [
                "chats", "messages", "attachments", "chatLinks", "chatRows", "authorLinks", "authorRows",
                "attachmentLinks", "attachmentRows", "members", "contacts", "friendLinks", "friendRows",
            ])
        let tables = environment.tables
        (chats, messages, attachments) = (tables[0], tables[1], tables[2])
        chatLinks = LinkTables(links: tables[3], rows: tables[4])
        authorLinks = LinkTables(links: tables[5], rows: tables[6])
        attachmentLinks = LinkTables(links: tables[7], rows: tables[8])
        (members, contacts) = (tables[9], tables[10])
        friendLinks = LinkTables(links: tables[11], rows: tables[12])
    }

    // MARK: Saving

    func save(_ chats: [Chat]) throws {
        try writing { writer in
            for chat in chats {
                writer.packing.pack(chat)
                try writer.putRecord(self.chats)
                guard let messages = chat.messages else { continue }
                for message in messages { try save(message, &writer) }
                try writer.replace(messages.map(\.id), listOf: chat.id, chatLinks.links, chatLinks.rows)
            }
        }
    }

    private func save(_ message: Message, _ writer: inout Writer) throws {
        writer.packing.pack(message)
        try writer.putRecord(messages)
        if let chat = message.$chat.id {
            try writer.take(message.id, toListOf: chat, chatLinks.links, chatLinks.rows)
        }
        guard let attachment = message.attachment else { return }
        writer.packing.pack(attachment)
        try writer.putRecord(attachments)
        try writer.attach(attachment.id, to: message.id, attachmentLinks.links, attachmentLinks.rows)
    }

    /// Saves sequentially: liblmdb has a single writer, and its writers cannot share a commit.
    func saveConcurrently(_ tasks: [[Message]]) async throws {
        for message in tasks.joined() { try writing { try save(message, &$0) } }
    }

    func replace(_ lists: [MessageList]) throws {
        try writing { writer in
            for list in lists {
                writer.packing.packMember(list.member)
                try writer.putRecord(members)
                try writer.replace(list.messages, listOf: list.member, authorLinks.links, authorLinks.rows)
            }
        }
    }

    func append(_ lists: [MessageList]) throws {
        for list in lists {
            try writing { writer in
                try writer.append(list.messages, toListOf: list.member, authorLinks.links, authorLinks.rows)
            }
        }
    }

    // MARK: Deleting

    func deleteMember(_ id: Int64) throws {
        try writing { writer in
            guard try writer.removeRecord(id, members) else { return }
            try writer.removeList(of: id, authorLinks.links, authorLinks.rows)
        }
    }

    func deleteChat(_ id: Int64) throws {
        try writing { writer in
            guard try writer.removeRecord(id, chats) else { return }
            let list = try writer.list(of: id, chatLinks.rows)
            for (message, position) in list {
                if try writer.removeRecord(message, messages) {
                    try writer.release(message, authorLinks.links, authorLinks.rows)
                    if let attachment = try writer.target(of: message, attachmentLinks.links) {
                        _ = try writer.removeRecord(attachment, attachments)
                        try writer.detach(attachment, from: message, attachmentLinks.links, attachmentLinks.rows)
                    }
                }
                try writer.remove(message, at: position, fromListOf: id, chatLinks.links, chatLinks.rows)
            }
        }
    }

    private func writing(_ body: (inout Writer) throws -> Void) throws {
        try environment.write { transaction in
            var writer = Writer(transaction)
            defer { writer.closeCursors() }
            try body(&writer)
        }
    }

    // MARK: Contents

    func contents() throws -> ChatContents {
        try environment.read { transaction in
            var contents = ChatContents()
            contents.chats = try count(chats, transaction)
            contents.messages = try count(messages, transaction)
            contents.attachments = try count(attachments, transaction)
            contents.chatLists = try lists(chatLinks, transaction)
            contents.authorLists = try lists(authorLinks, transaction)
            try forEach(attachmentLinks.links, transaction) { key, _ in
                contents.attached[Packing.id(in: key, at: 0)] = Packing.id(in: key, at: 8)
            }
            return contents
        }
    }

    private func count(_ table: MDB_dbi, _ transaction: OpaquePointer) throws -> Int {
        var statistics = MDB_stat()
        try check(trove_mdb_stat(transaction, table, &statistics), "mdb_stat")
        return statistics.ms_entries
    }

    private func lists(_ tables: LinkTables, _ transaction: OpaquePointer) throws -> [Int64: [Int64]] {
        var rows: [Int64: [Int64]] = [:], links: [Int64: [(position: Int64, message: Int64)]] = [:]
        try forEach(tables.rows, transaction) { key, _ in
            rows[Packing.id(in: key, at: 0), default: []].append(Packing.id(in: key, at: 16))
        }
        try forEach(tables.links, transaction) { key, value in
            links[Packing.id(in: key, at: 8), default: []].append(
                (Packing.position(in: value), Packing.id(in: key, at: 0)))
        }
        guard links.mapValues({ $0.sorted { $0.position < $1.position }.map(\.message) }) == rows else {
            throw BenchmarkError("liblmdb: the rows are not those of the links")
        }
        return rows
    }

    private func forEach(
        _ table: MDB_dbi, _ transaction: OpaquePointer, _ body: (MDB_val, MDB_val) -> Void
    ) throws {
        try withCursor(transaction, table) { cursor in
            var key = MDB_val(), value = MDB_val()
            while try move(cursor, &key, &value, MDB_NEXT) { body(key, value) }
        }
    }
}
