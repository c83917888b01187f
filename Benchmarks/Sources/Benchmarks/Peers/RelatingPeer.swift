// The operations of a peer for the relation workloads.

/// A database of chats, members, messages and attachments.
///
/// As with ``Peer``, a transaction in the description of a method is a single transaction for every peer.
protocol RelatingPeer: AnyObject, Sendable {
    /// Opens the database; creates it if it does not exist.
    init(at place: Place) throws

    /// Saves chats with the messages and attachments inside them, in a single transaction. The messages of a chat are
    /// the list of its messages afterwards.
    func save(_ chats: [Chat]) throws
    /// Saves the messages of each array in a task, each in an awaited transaction of its own.
    func saveConcurrently(_ tasks: [[Message]]) async throws
    /// Saves members, and makes messages their lists, in a single transaction. The messages are not stored.
    func replace(_ lists: [MessageList]) throws
    /// Adds messages to the end of the list of a member, in a transaction of its own for each list.
    func append(_ lists: [MessageList]) throws
    /// Deletes a member, in a transaction of its own. The messages stay, without an author.
    func deleteMember(_ id: Int64) throws
    /// Deletes a chat with its messages and their attachments, in a transaction of its own.
    func deleteChat(_ id: Int64) throws

    /// Returns everything that is stored, after a check that both ends of each link agree.
    func contents() throws -> ChatContents

    /// Writes all committed data to the database's main file, if the peer keeps it elsewhere for a time.
    func settle() throws
}

extension RelatingPeer {
    func settle() throws {}
}

/// Messages in the list of a member.
struct MessageList: Sendable {
    let member: Int64
    let messages: [Int64]
}

/// The stored entities and links.
struct ChatContents: Equatable {
    /// The number of chats, messages and attachments.
    var chats = 0, messages = 0, attachments = 0
    /// The messages of each chat and of each author, in the order of the lists.
    var chatLists: [Int64: [Int64]] = [:], authorLists: [Int64: [Int64]] = [:]
    /// The attachment of each message.
    var attached: [Int64: Int64] = [:]
}
