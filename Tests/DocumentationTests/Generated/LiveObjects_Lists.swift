// The Swift samples of Docs/LiveObjects.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/LiveObjects.md:302
@IndexKeyRecord("id")
private struct Member {
    #Index<Member>(\.name)

    let id: AutoID
    var name: String
    var age: Int
}

enum LiveObjects_Lists {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        return {
            // Docs/LiveObjects.md:302

            let store = try await Store.temporary(records: [Member.self])
            let korben = try await Member.create(in: store) { Member(id: $0, name: "Korben", age: 45) }
            let ruby = try await Member.create(in: store) { Member(id: $0, name: "Ruby", age: 30) }

            let list = try LiveList(Member.filter(\.age >= 18).sorted(by: \.name), in: store)  // the first page is read here
            expectOutput(list.rows.map(\.name), is: #"["Korben", "Ruby"]"#, at: "Docs/LiveObjects.md:316")
            expectOutput(list.rows[0] === korben, is: #"true"#, at: "Docs/LiveObjects.md:317")
            // Docs/LiveObjects.md:321
            ruby.name = "Ada"
            try await ruby.save()
            await store.live.settle()  // an app does not wait: its views follow
            expectOutput(list.rows.map(\.name), is: #"["Ada", "Korben"]"#, at: "Docs/LiveObjects.md:324")
            _ = store
            _ = korben
            _ = ruby
            _ = list
        }
    }
}
