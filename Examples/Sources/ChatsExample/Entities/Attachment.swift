// A file that is attached to a message.

import Trove

@EntityModel
struct Attachment: Codable {
    let id: String
    var bytes: Int
    @Relationship(.required, inverse: \.attachment) var message: Message?
}
