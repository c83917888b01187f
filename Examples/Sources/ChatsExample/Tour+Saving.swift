// The part of the tour with the saved graphs.

import ExampleReport
import Foundation
import Trove

extension Tour {
    static let saving = Section(
        "Chats from JSON, saved with all that is in them in one transaction",
        code: """
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            let chats = try decoder.decode([Chat].self, from: json)
            try chats.save(to: store)
            """,
        run: savedChats,
        table: counts)

    private static func savedChats(in store: Store) throws -> Counts {
        let json = try DataFile.chats()
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let chats = try decoder.decode([Chat].self, from: json)
        try chats.save(to: store)
        return try Counts(in: store)
    }

    static let reply = Section(
        "A reply: its author, its chat and its message are known, so ids are enough",
        code: """
            // It goes to the end of the chat's list.
            let reply = Message(
                id: 100, text: "I bring a second cake.", sent: .now, isRead: false,
                author: .id("noa"), chat: .id("hut"), replyTo: .id(14))
            try reply.save(to: store)
            let replies = try Message.query(14).related(\\.$replies)
                .with(\\.$author).with(\\.$chat).resolve(in: store)
            """,
        run: repliesWithANewReply
    ) { replies in
        Table(
            ["chat", "from", "reply"],
            rows: replies.map { [$0.chat?.title ?? "", $0.author?.name ?? "", $0.text] })
    }

    private static func repliesWithANewReply(in store: Store) throws -> [Message] {
        // It goes to the end of the chat's list.
        let reply = Message(
            id: 100, text: "I bring a second cake.", sent: .now, isRead: false,
            author: .id("noa"), chat: .id("hut"), replyTo: .id(14))
        try reply.save(to: store)
        let replies = try Message.query(14).related(\.$replies)
            .with(\.$author).with(\.$chat).resolve(in: store)
        return replies
    }

    static let slice = Section(
        "A part of a list is a slice: saved back, it takes nothing away",
        code: """
            let query = Chat.query("hut").with(\\.$messages) { message in
                message.filter(.contains(\\.text, "knees"))
            }
            let before = try query.linkCount(of: \\.$messages).resolve(in: store)
            if var chat = try query.resolve(in: store) {
                chat.title += ", \\(chat.messages?.count ?? 0) about knees"
                try chat.save(to: store)  // chat.$messages.isSlice
            }
            let after = try query.linkCount(of: \\.$messages).resolve(in: store)
            """,
        run: messagesAroundASave
    ) { result in
        Table(
            ["title", "messages before", "after"],
            rows: [[result.title, "\(result.before)", "\(result.after)"]])
    }

    private static func messagesAroundASave(in store: Store) throws -> (title: String, before: Int, after: Int) {
        let query = Chat.query("hut").with(\.$messages) { message in
            message.filter(.contains(\.text, "knees"))
        }
        let before = try query.linkCount(of: \.$messages).resolve(in: store)
        if var chat = try query.resolve(in: store) {
            chat.title += ", \(chat.messages?.count ?? 0) about knees"
            try chat.save(to: store)  // chat.$messages.isSlice
        }
        let after = try query.linkCount(of: \.$messages).resolve(in: store)
        return (try Chat.get(in: store, id: "hut")?.title ?? "", before, after)
    }

    static let fragment = Section(
        "A fragment: incomplete JSON changes what it has, and keeps the rest",
        code: """
            let json = #"{"id": "noa", "name": "Noa", "status": "On the train"}"#
            let before = try User.get(in: store, id: "noa")
            let fragment = try JSONDecoder().decode(User.self, from: Data(json.utf8))
            try fragment.save(to: store, merging: .fragment)
            let after = try User.get(in: store, id: "noa")
            """,
        run: userAroundAFragment
    ) { users in
        Table(
            ["", "name", "status", "phone"],
            rows: zip(["before", "after"], users).map { [$0, $1.name, $1.status ?? "", $1.phone ?? ""] })
    }

    private static func userAroundAFragment(in store: Store) throws -> [User] {
        let json = #"{"id": "noa", "name": "Noa", "status": "On the train"}"#
        let before = try User.get(in: store, id: "noa")
        let fragment = try JSONDecoder().decode(User.self, from: Data(json.utf8))
        try fragment.save(to: store, merging: .fragment)
        let after = try User.get(in: store, id: "noa")
        return [before, after].compactMap(\.self)
    }
}
