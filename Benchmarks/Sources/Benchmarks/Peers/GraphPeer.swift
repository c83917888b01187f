// The operations of a peer for the workloads that read graphs.

/// A database of chats with messages, of members with long lists of messages, and of contacts with friends.
///
/// As with ``Peer``, a transaction in the description of a method is a single transaction for every peer.
protocol GraphPeer: AnyObject, Sendable {
    /// Opens the database; creates it if it does not exist.
    init(at place: Place) throws

    // MARK: Filling

    /// Saves chats with the messages inside them, in a single transaction.
    func save(_ chats: [Chat]) throws
    /// Saves members, and makes messages their lists, in a single transaction.
    func replace(_ lists: [MessageList]) throws
    /// Saves contacts with the ids of their friends, in a single transaction.
    func save(_ contacts: [Contact]) throws
    /// Writes all committed data to the database's main file, if the peer keeps it elsewhere for a time.
    func settle() throws

    // MARK: Reading

    /// Reads chats one by one, each with its messages, in a single transaction.
    func chatsWithMessages(_ ids: [Int64]) throws -> Checksum
    /// Reads chats one by one, each with its messages with their authors, in a single transaction.
    func chatsWithAuthors(_ ids: [Int64]) throws -> Checksum
    /// Reads all chats with their messages with their authors, in a single query.
    func allChatsWithAuthors() throws -> Checksum
    /// Reads the 20 messages after each of some messages in the list of a member, in a single transaction.
    func pages(of member: Int64, after messages: [Int64]) throws -> Checksum
    /// Reads all contacts with their friends, the friends of these, and the ids of the friends of those, in a single
    /// query.
    func allContacts() throws -> Checksum
}

extension GraphPeer {
    /// The number of messages in a page.
    static var pageSize: Int { 20 }
}

extension Checksum {
    /// Adds the number of a chat's messages, the first and the last of them.
    mutating func add(_ chat: Chat) {
        add(chat.id &+ Int64(chat.title.utf8.count))
        add(chat.messages ?? [])
    }

    /// Adds the number of messages, the first and the last of them.
    mutating func add(_ messages: [Message]) {
        add(messages.count)
        for message in [messages.first, messages.last] {
            guard let message else { continue }
            add(message.id &+ Int64(message.sent) &+ Int64(message.text.utf8.count))
            if let author = message.author { add(author.id &+ Int64(author.name.utf8.count)) }
        }
    }

    /// Adds the friends of a contact, and one path to the friends of their friends.
    mutating func add(_ contact: Contact) {
        let friends = contact.friends ?? []
        add(friends.count)
        guard let friend = friends.last?.friends?.first else { return }
        add(friend.id &+ Int64(friend.name.utf8.count))
        add(friend.$friends.ids.last ?? 0)
    }
}
