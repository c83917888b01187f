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

/// An entity with six relations, none of which is set.
@EntityModel
struct Linked {
    let id: Int64
    var name: String
    var age: Int
    var email: String
    @Relationship(inverse: \.pupils) var teacher: Linked?
    @Relationship(inverse: \.teacher) var pupils: [Linked]?
    @Relationship(inverse: \.friends) var friends: [Linked]?
    @Relationship(inverse: \.partner) var partner: Linked?
    @Relationship var neighbor: Linked? = nil
    @Relationship var colleagues: [Linked]? = nil
}

/// The same record without relations.
@IndexKeyRecord("id")
struct Unlinked {
    let id: Int64
    var name: String
    var age: Int
    var email: String
}

extension Linked {
    /// Creates the entity of a number, always with the same contents.
    init(number: Int) {
        self.init(
            id: Int64(number), name: "Person number \(100_000 + number)", age: number % 90,
            email: "person\(100_000 + number)@example.com")
    }
}

extension Unlinked {
    init(_ entity: Linked) { self.init(id: entity.id, name: entity.name, age: entity.age, email: entity.email) }
}
