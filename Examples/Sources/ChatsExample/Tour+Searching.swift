// The part of the tour with searches for the words of messages.

import ExampleReport
import Foundation
import Trove

extension Tour {
    static let search = Section(
        "Search: what users type finds messages, the most relevant first",
        code: """
            // In Message: #FullTextIndex<Message>(\\.text)
            let query = Message.matching("hut OR \\"the cake\\"")
            let hits = try query.limit(4).hits(in: store)
            let snippets = hits.map { $0.snippet(of: \\.text) }
            let marked = snippets.map { $0.marked("[", "]", escapesHTML: false) }
            let plan = try query.limit(4).explain(in: store)
            """,
        run: searchHits,
        text: \.plan
    ) { result in
        Table(
            ["score", "message"],
            rows: zip(result.hits, result.marked).map { [String(format: "%.2f", $0.score), $1] })
    }

    private static func searchHits(in store: Store) throws -> (
        hits: [TextHit<Message>], marked: [String], plan: String
    ) {
        // In Message: #FullTextIndex<Message>(\.text)
        let query = Message.matching("hut OR \"the cake\"")
        let hits = try query.limit(4).hits(in: store)
        let snippets = hits.map { $0.snippet(of: \.text) }
        let marked = snippets.map { $0.marked("[", "]", escapesHTML: false) }
        let plan = try query.limit(4).explain(in: store)
        return (hits, marked, plan)
    }

    static let typing = Section(
        "Search as you type, in a chat: the last word is the beginning of a word",
        code: """
            let typed = TextQuery<Message>("i bri", lastIsPrefix: true)
            let found = try Chat.query("hut").related(\\.$messages)
                .filter(.matches(typed)).with(\\.$author).resolve(in: store)
            """,
        run: typedMessages
    ) { messages in
        Table(["from", "message"], rows: messages.map { [$0.author?.name ?? "", $0.text] })
    }

    private static func typedMessages(in store: Store) throws -> [Message] {
        let typed = TextQuery<Message>("i bri", lastIsPrefix: true)
        let found = try Chat.query("hut").related(\.$messages)
            .filter(.matches(typed)).with(\.$author).resolve(in: store)
        return found
    }
}
