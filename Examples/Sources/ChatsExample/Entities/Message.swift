// A message, perhaps with an attachment, perhaps a reply.

import Foundation
import Trove

@EntityModel
struct Message: Codable {
    #Index<Message>(\.sent)
    #FullTextIndex<Message>(\.text)

    let id: Int
    var text: String
    var sent: Date
    var isRead: Bool
    @Relationship(.required, inverse: \.messages) var author: User?
    @Relationship(.required, inverse: \.messages) var chat: Chat?
    @Relationship(inverse: \.replies) var replyTo: Message?
    @Relationship(inverse: \.replyTo) var replies: [Message]?
    @Relationship(deleteRule: .cascade, inverse: \.message) var attachment: Attachment?
}
