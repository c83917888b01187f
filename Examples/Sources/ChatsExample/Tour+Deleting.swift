// The part of the tour with deletes: a relation that denies, and a cascade.

import ExampleReport
import Trove

extension Tour {
    static let deny = Section(
        "A delete that a relation denies leaves everything as it was",
        code: """
            // In User: @Relationship(deleteRule: .deny, inverse: \\.author)
            var refusal: StoreError?
            do {
                try User.delete(id: "mia", from: store)
            } catch let error as StoreError {
                refusal = error
            }
            """,
        run: refusedDelete,
        text: { $0.refusal?.description }
    ) { result in
        counts([("before", result.before), ("after", result.after)])
    }

    private static func refusedDelete(
        in store: Store
    ) throws -> (refusal: StoreError?, before: Counts, after: Counts) {
        let before = try Counts(in: store)
        // In User: @Relationship(deleteRule: .deny, inverse: \.author)
        var refusal: StoreError?
        do {
            try User.delete(id: "mia", from: store)
        } catch let error as StoreError {
            refusal = error
        }
        return (refusal, before, try Counts(in: store))
    }

    static let cascade = Section(
        "A cascade: a chat goes with its messages, and these with their attachments",
        code: """
            // In Chat: @Relationship(deleteRule: .cascade, inverse: \\.chat)
            try store.write { context in
                try Chat.delete(id: "books", from: context)
                // Nothing denies it any longer.
                try User.delete(id: "mia", from: context)
            }
            """,
        run: deletedChat
    ) { result in
        counts([("before", result.before), ("after", result.after)])
    }

    private static func deletedChat(in store: Store) throws -> (before: Counts, after: Counts) {
        let before = try Counts(in: store)
        // In Chat: @Relationship(deleteRule: .cascade, inverse: \.chat)
        try store.write { context in
            try Chat.delete(id: "books", from: context)
            // Nothing denies it any longer.
            try User.delete(id: "mia", from: context)
        }
        return (before, try Counts(in: store))
    }
}
