// The record of the demo.

import Trove

/// A message of a chat.
@IndexKeyRecord("id")
struct LiveMessage: Hashable {
    let id: Int
    var author: String
    var text: String
    var isRead: Bool
}
