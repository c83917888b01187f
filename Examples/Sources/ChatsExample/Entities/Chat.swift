// A chat with its members and messages.

import Trove

@EntityModel
struct Chat: Codable {
    let id: String
    var title: String
    @Relationship(inverse: \.chats) var members: [User]?
    /// The messages go with their chat.
    @Relationship(deleteRule: .cascade, inverse: \.chat) var messages: [Message]?
}
