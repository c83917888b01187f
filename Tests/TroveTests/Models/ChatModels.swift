// The entities of a chat, for the tests of relations.

import Trove

@EntityModel
struct User: Equatable {
    let id: String
    var name: String
    var nickname: String?
    @Relationship(inverse: \.users) var chats: [Chat]?
    @Relationship(inverse: \.admins) var adminOf: [Chat]?
    @Relationship(inverse: \.friends) var friends: [User]?
    @Relationship(inverse: \.partner) var partner: User?
}

@EntityModel
struct Chat: Equatable {
    let id: String
    @Relationship(inverse: \.chats) var users: [User]?
    @Relationship(deleteRule: .cascade, inverse: \.chat) var messages: [Message]?
    @Relationship(inverse: \.adminOf) var admins: [User]?
}

@EntityModel
struct Message: Equatable {
    let id: String
    var text: String
    @Relationship(.required) var author: User?
    @Relationship(.required, inverse: \.messages) var chat: Chat?
    @Relationship(deleteRule: .cascade, inverse: \.message) var attachment: Attachment?
    @Relationship(inverse: \.replyTo) var replies: [Message]?
    @Relationship(inverse: \.replies) var replyTo: Message?
    @Relationship var viewedBy: [User]? = nil
}

@EntityModel
struct Attachment: Equatable {
    let id: String
    var path: String?
    @Relationship(.required, inverse: \.attachment) var message: Message?
}
