// Trove's queries for graphs, as Docs/DataModeling.md describes them.

import Trove

extension TroveRelatingPeer: GraphPeer {
    func save(_ contacts: [Contact]) throws { try contacts.save(to: store) }

    func chatsWithMessages(_ ids: [Int64]) throws -> Checksum {
        try chats(ids) { $0.with(\.$messages) }
    }

    func chatsWithAuthors(_ ids: [Int64]) throws -> Checksum {
        try chats(ids) { $0.with(\.$messages) { message in message.with(\.$author) } }
    }

    private func chats(_ ids: [Int64], _ shape: (RecordQuery<Chat>) -> RecordQuery<Chat>) throws -> Checksum {
        try store.read { context in
            var checksum = Checksum()
            for id in ids {
                if let chat = try shape(Chat.query(id)).resolve(in: context) { checksum.add(chat) }
            }
            return checksum
        }
    }

    func allChatsWithAuthors() throws -> Checksum {
        let chats = try Chat.query().with(\.$messages) { $0.with(\.$author) }.resolve(in: store)
        var checksum = Checksum()
        for chat in chats { checksum.add(chat) }
        return checksum
    }

    func pages(of member: Int64, after messages: [Int64]) throws -> Checksum {
        try store.read { context in
            var checksum = Checksum()
            for message in messages {
                checksum.add(
                    try Member.query(member).related(\.$messages).after(key: message).limit(Self.pageSize)
                        .resolve(in: context))
            }
            return checksum
        }
    }

    func allContacts() throws -> Checksum {
        var checksum = Checksum()
        for contact in try Contact.queryAll(with: .entities, .entities, .ids).resolve(in: store) {
            checksum.add(contact)
        }
        return checksum
    }
}
