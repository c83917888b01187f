// The sections of the tour, in order.

import Trove

/// The demo's sections.
enum Tour {
    /// The type that the store opens with. The other types follow from its relations.
    static let records: [any IndexKeyRecord.Type] = [Chat.self]

    static let sections = [
        saving, graph, page, unread, unanswered,
        search, typing,
        reply, slice, fragment,
        deny, cascade,
    ]

    /// Deletes what an earlier run has left. Messages go first: their authors cannot be deleted before them.
    static func clear(_ store: Store) throws {
        try store.write { context in
            try Chat.query().delete(in: context)
            try Message.query().delete(in: context)
            try User.query().delete(in: context)
        }
    }
}
