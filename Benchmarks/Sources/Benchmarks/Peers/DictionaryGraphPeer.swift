// A graph in memory, of plain dictionaries: no file, no transactions, no bytes to decode. The limit of what reading a
// graph can cost.

import Trove

final class DictionaryGraphPeer: GraphPeer, @unchecked Sendable {
    private var chats: [Int64: Chat] = [:]
    private var messages: [Int64: Message] = [:]
    private var members: [Int64: Member] = [:]
    /// The messages of each chat, and the author of each message.
    private var lists: [Int64: [Int64]] = [:]
    private var authors: [Int64: Int64] = [:]

    /// - Parameter place: Unused.
    init(at place: Place) throws {}

    func save(_ chats: [Chat]) {
        for chat in chats {
            self.chats[chat.id] = Chat(id: chat.id, title: chat.title)
            lists[chat.id] = chat.$messages.ids
            for message in chat.messages ?? [] { messages[message.id] = message }
        }
    }

    func replace(_ lists: [MessageList]) {
        for list in lists {
            members[list.member] = Member(id: list.member, name: "A member")
            for message in list.messages { authors[message] = list.member }
        }
    }

    func save(_ contacts: [Contact]) throws { throw Self.unsupported }

    func settle() {}

    // MARK: Reading

    func chatsWithMessages(_ ids: [Int64]) -> Checksum { checksum(of: ids, withAuthors: false) }

    func chatsWithAuthors(_ ids: [Int64]) -> Checksum { checksum(of: ids, withAuthors: true) }

    func allChatsWithAuthors() -> Checksum { checksum(of: chats.keys.sorted(), withAuthors: true) }

    func pages(of member: Int64, after messages: [Int64]) throws -> Checksum { throw Self.unsupported }

    func allContacts() throws -> Checksum { throw Self.unsupported }

    private func checksum(of ids: [Int64], withAuthors: Bool) -> Checksum {
        var checksum = Checksum()
        for id in ids {
            guard var chat = chats[id] else { continue }
            let messages = (lists[id] ?? []).compactMap { id -> Message? in
                guard var message = self.messages[id] else { return nil }
                if withAuthors, let member = authors[id].flatMap({ members[$0] }) {
                    message.$author = .relation(member)
                }
                return message
            }
            chat.$messages = .relation(messages)
            checksum.add(chat)
        }
        return checksum
    }

    private static var unsupported: BenchmarkError { BenchmarkError("dictionaries have chats alone") }
}
