// The part of the tour with queries that read graphs and follow relations, each with its plan.

import ExampleReport
import Trove

extension Tour {
    static let graph = Section(
        "A chat, its last messages, their authors and replies: one query",
        code: """
            let query = Chat.query("hut").with(\\.$messages) { message in
                message.sorted(by: \\.sent.desc).limit(6)
                    .with(\\.$author)
                    .with(\\.$replies) { $0.with(\\.$author) }
            }
            let chat = try query.resolve(in: store)
            let plan = try query.explain(in: store)
            """,
        run: lastMessages,
        text: \.plan
    ) { result in
        Table(
            ["from", "message", "replies"],
            rows: result.messages.map { [$0.author?.name ?? "", $0.text, replies($0)] })
    }

    private static func lastMessages(in store: Store) throws -> Explained {
        let query = Chat.query("hut").with(\.$messages) { message in
            message.sorted(by: \.sent.desc).limit(6)
                .with(\.$author)
                .with(\.$replies) { $0.with(\.$author) }
        }
        let chat = try query.resolve(in: store)
        let plan = try query.explain(in: store)
        return Explained(messages: chat?.messages ?? [], plan: plan)
    }

    static let page = Section(
        "A page of a list begins after the last message of the page before it",
        code: """
            let messages = Chat.query("hut").related(\\.$messages).with(\\.$author)
            let page = try messages.limit(10).resolve(in: store)
            let next = messages.after(page.last).limit(5)
            let found = try next.resolve(in: store)
            let plan = try next.explain(in: store)
            """,
        run: secondPage,
        text: \.plan
    ) { result in
        texts(of: result.messages)
    }

    private static func secondPage(in store: Store) throws -> Explained {
        let messages = Chat.query("hut").related(\.$messages).with(\.$author)
        let page = try messages.limit(10).resolve(in: store)
        let next = messages.after(page.last).limit(5)
        let found = try next.resolve(in: store)
        let plan = try next.explain(in: store)
        return Explained(messages: found, plan: plan)
    }

    static let unread = Section(
        "From a user to her chats to their messages: a query like any other",
        code: """
            let query = User.query("ada").related(\\.$chats).related(\\.$messages)
                .filter(!\\.isRead).sorted(by: \\.sent.desc)
            let plan = try query.explain(in: store)
            let found = try query.with(\\.$author).resolve(in: store)
            try query.update(in: store) { $0.isRead = true }
            """,
        run: unreadMessages,
        text: \.plan
    ) { result in
        texts(of: result.messages)
    }

    private static func unreadMessages(in store: Store) throws -> Explained {
        let query = User.query("ada").related(\.$chats).related(\.$messages)
            .filter(!\.isRead).sorted(by: \.sent.desc)
        let plan = try query.explain(in: store)
        let found = try query.with(\.$author).resolve(in: store)
        try query.update(in: store) { $0.isRead = true }
        return Explained(messages: found, plan: plan)
    }

    static let unanswered = Section(
        "Links in filters: the latest messages of a user that nobody has answered",
        code: """
            let open = Message.filter(\\.$author == .id("ada") && .hasNone(\\.$replies))
            let query = open.sorted(by: \\.sent.desc).limit(3)
            let found = try query.with(\\.$author).resolve(in: store)
            let plan = try query.explain(in: store)
            """,
        run: unansweredMessages,
        text: \.plan
    ) { result in
        texts(of: result.messages)
    }

    private static func unansweredMessages(in store: Store) throws -> Explained {
        let open = Message.filter(\.$author == .id("ada") && .hasNone(\.$replies))
        let query = open.sorted(by: \.sent.desc).limit(3)
        let found = try query.with(\.$author).resolve(in: store)
        let plan = try query.explain(in: store)
        return Explained(messages: found, plan: plan)
    }
}

/// The messages that a query found, and the plan of the query.
private struct Explained {
    let messages: [Message]
    let plan: String
}

extension Tour {
    private static func texts(of messages: [Message]) -> Table {
        Table(["from", "message"], rows: messages.map { [$0.author?.name ?? "", $0.text] })
    }

    private static func replies(_ message: Message) -> String {
        (message.replies ?? []).map { "\($0.author?.name ?? ""): \($0.text)" }.joined(separator: " ")
    }
}
