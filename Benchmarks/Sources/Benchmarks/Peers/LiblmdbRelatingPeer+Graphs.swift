// Graphs read by hand, with plain calls of liblmdb: the links of all owners first, then their targets in the order of
// their keys, each once.

import CTroveLMDB
import Foundation

extension LiblmdbRelatingPeer: GraphPeer {
    func save(_ contacts: [Contact]) throws {
        try environment.write { transaction in
            try withPacking { packing in
                func put(_ value: MDB_val, _ table: MDB_dbi) throws {
                    var key = packing.keyBytes, value = value
                    try check(trove_mdb_put(transaction, table, &key, &value, 0), "mdb_put")
                }
                for contact in contacts {
                    packing.pack(contact)
                    try put(packing.valueBytes, self.contacts)
                    for (index, friend) in contact.$friends.ids.enumerated() {
                        packing.packLink(contact.id, friend, Int64(index))
                        try put(packing.valueBytes, friendLinks.links)
                        packing.packRow(contact.id, Int64(index), friend)
                        try put(MDB_val(), friendLinks.rows)
                    }
                }
            }
        }
    }

    // MARK: One by one

    func chatsWithMessages(_ ids: [Int64]) throws -> Checksum {
        try reading { reader in
            var checksum = Checksum()
            for id in ids { if let chat = try reader.chat(id, self, withAuthors: false) { checksum.add(chat) } }
            return checksum
        }
    }

    func chatsWithAuthors(_ ids: [Int64]) throws -> Checksum {
        try reading { reader in
            var checksum = Checksum()
            for id in ids { if let chat = try reader.chat(id, self, withAuthors: true) { checksum.add(chat) } }
            return checksum
        }
    }

    func pages(of member: Int64, after messages: [Int64]) throws -> Checksum {
        try reading { reader in
            var checksum = Checksum()
            for message in messages {
                let ids = try reader.targets(
                    of: member, after: message, atMost: Self.pageSize, authorLinks.links, authorLinks.rows)
                checksum.add(try ids.compactMap { try reader.message($0, self.messages) })
            }
            return checksum
        }
    }

    // MARK: All

    func allChatsWithAuthors() throws -> Checksum {
        try reading { reader in
            var chats = try reader.all(self.chats, Chat.init(unpacking:_:))
            let lists = try reader.lists(of: chats.map(\.id), chatLinks.rows, targetOffset: 16)
            var messages = try reader.find(lists.distinct, self.messages, Message.init(unpacking:_:))
            let links = try reader.lists(of: lists.distinct, authorLinks.links, targetOffset: 8)
            // Messages of the same author share its box.
            let authors = try reader.find(links.distinct, members, Member.init(unpacking:_:)).map(Author.relation)
            for index in messages.indices {
                if let place = links[index].first { messages[index].$author = authors[place] }
            }
            for index in chats.indices { chats[index].$messages = .relation(lists[index].map { messages[$0] }) }
            var checksum = Checksum()
            for chat in chats { checksum.add(chat) }
            return checksum
        }
    }

    func allContacts() throws -> Checksum {
        try reading { reader in
            let rows = friendLinks.rows
            var contacts = try reader.all(self.contacts, Contact.init(unpacking:_:))
            let first = try reader.lists(of: contacts.map(\.id), rows, targetOffset: 16)
            var friends = try reader.find(first.distinct, self.contacts, Contact.init(unpacking:_:))
            let second = try reader.lists(of: first.distinct, rows, targetOffset: 16)
            var others = try reader.find(second.distinct, self.contacts, Contact.init(unpacking:_:))
            let third = try reader.lists(of: second.distinct, rows, targetOffset: 16)
            for index in others.indices { others[index].$friends = .ids(third[index].map { third.distinct[$0] }) }
            for index in friends.indices { friends[index].$friends = .relation(second[index].map { others[$0] }) }
            for index in contacts.indices { contacts[index].$friends = .relation(first[index].map { friends[$0] }) }
            var checksum = Checksum()
            for contact in contacts { checksum.add(contact) }
            return checksum
        }
    }

    private func reading(_ body: (inout Reader) throws -> Checksum) throws -> Checksum {
        try environment.read { transaction in
            var reader = Reader(transaction)
            defer { reader.closeCursors() }
            return try body(&reader)
        }
    }
}

// MARK: Decoding

extension Chat {
    init(unpacking key: MDB_val, _ value: MDB_val) {
        var bytes = Packing.fields(of: value)
        self.init(id: Packing.id(in: key, at: 0), title: Packing.text(&bytes))
    }
}

extension Message {
    init(unpacking key: MDB_val, _ value: MDB_val) {
        var bytes = Packing.fields(of: value)
        let text = Packing.text(&bytes)
        self.init(id: Packing.id(in: key, at: 0), text: text, sent: bytes.loadUnaligned(as: Int.self))
    }
}

extension Member {
    init(unpacking key: MDB_val, _ value: MDB_val) {
        var bytes = Packing.fields(of: value)
        self.init(id: Packing.id(in: key, at: 0), name: Packing.text(&bytes))
    }
}

extension Contact {
    init(unpacking key: MDB_val, _ value: MDB_val) {
        var bytes = Packing.fields(of: value)
        self.init(id: Packing.id(in: key, at: 0), name: Packing.text(&bytes))
    }
}
