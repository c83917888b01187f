// A member of chats.

import Trove

@EntityModel
struct User: Codable {
    let id: String
    var name: String
    var status: String?
    var phone: String?
    @Relationship(inverse: \.members) var chats: [Chat]?
    /// A user with messages cannot be deleted.
    @Relationship(deleteRule: .deny, inverse: \.author) var messages: [Message]?
}
