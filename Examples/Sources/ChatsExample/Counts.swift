// The number of entities in the store.

import ExampleReport
import Trove

/// The number of stored entities of each type.
struct Counts: Equatable {
    let users, chats, messages, attachments: Int
}

extension Counts {
    init(in store: Store) throws {
        self = try store.read { context in
            Counts(
                users: try User.query().count(in: context), chats: try Chat.query().count(in: context),
                messages: try Message.query().count(in: context),
                attachments: try Attachment.query().count(in: context))
        }
    }
}

extension Tour {
    static func counts(_ counts: Counts) -> Table { Self.counts([("stored", counts)]) }

    static func counts(_ moments: [(name: String, counts: Counts)]) -> Table {
        Table(
            ["", "users", "chats", "messages", "attachments"],
            rows: moments.map { name, counts in
                [name] + [counts.users, counts.chats, counts.messages, counts.attachments].map(String.init)
            })
    }
}
