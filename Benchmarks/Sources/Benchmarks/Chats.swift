// The entities of the relation workloads.

import Trove

/// A member of chats. The list of messages is long in some workloads.
@EntityModel
struct Member {
    let id: Int64
    var name: String
    @Relationship(inverse: \.author) var messages: [Message]?
}

@EntityModel
struct Chat {
    let id: Int64
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \.chat) var messages: [Message]?
}

@EntityModel
struct Message {
    let id: Int64
    var text: String
    var sent: Int
    @Relationship(inverse: \.messages) var chat: Chat?
    @Relationship(inverse: \.messages) var author: Member?
    @Relationship(deleteRule: .cascade, inverse: \.message) var attachment: Attachment?
}

@EntityModel
struct Attachment {
    let id: Int64
    var name: String
    @Relationship(inverse: \.attachment) var message: Message?
}

extension Message {
    /// Creates the message of a number, always with the same contents.
    ///
    /// - Parameters:
    ///   - chat: The id of its chat; nil to leave the chat unset.
    ///   - hasAttachment: Whether the message has an attachment of the same number.
    init(number: Int, chat: Int64? = nil, hasAttachment: Bool = false) {
        self.init(id: Int64(number), text: "This is the text of message \(100_000 + number)", sent: number)
        if let chat { $chat = .id(chat) }
        if hasAttachment { $attachment = .relation(Attachment(id: Int64(number), name: "photo \(number).jpg")) }
    }
}

extension Chat {
    /// Creates chats of 100 messages with these numbers.
    static func graphs(_ count: Int, _ messages: [Int]) -> [Chat] {
        (0..<count).map { chat in
            let numbers = messages[100 * chat..<100 * chat + 100]
            return Chat(
                id: Int64(chat), title: "Chat \(chat)", messages: .relation(numbers.map { Message(number: $0) }))
        }
    }
}

/// A person with friends, who have this person as their friend.
@EntityModel
struct Contact {
    let id: Int64
    var name: String
    @Relationship(inverse: \.friends) var friends: [Contact]?
}

extension Contact {
    /// Creates contacts with ten friends each, or fewer if there are few contacts. The friends of a contact are at the
    /// same distances from it, in both directions.
    static func circle(of count: Int) -> [Contact] {
        var random = SplitMix64(state: 2019)
        let distances = (1..<max(2, (count + 1) / 2)).shuffled(using: &random).prefix(5)
        return (0..<count).map { number in
            let friends = distances.flatMap { [(number + $0) % count, (number + count - $0) % count] }
            return Contact(
                id: Int64(number), name: "Person number \(100_000 + number)", friends: .ids(friends.map(Int64.init)))
        }
    }
}
