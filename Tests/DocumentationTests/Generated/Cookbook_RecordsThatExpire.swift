// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:491
@IndexKeyRecord("token")
private struct Session {
    #Index<Session>(\.expires, where: { $0.expires != nil })

    let token: String
    var user: Int
    var expires: Date?  // nil never expires
}

// Docs/Cookbook.md:500
extension Session {
    static func find(_ token: String, at now: Date, in store: Store) throws -> Session? {
        guard let session = try get(in: store, token: token) else { return nil }
        if let expires = session.expires, expires <= now { return nil }
        return session
    }

    /// Removes what has expired, a thousand at a time: other writers get their turn.
    static func removeExpired(at now: Date, in store: Store) throws -> Int {
        var total = 0
        while true {
            let keys = try filter(\.expires != nil && \.expires <= now).limit(1_000).keys(in: store)
            if keys.isEmpty { return total }
            total += try Session.query(token: .within(keys)).filter(\.expires != nil && \.expires <= now)
                .delete(in: store)
        }
    }
}

enum Cookbook_RecordsThatExpire {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:491


        let store = try Store.temporary(records: [Session.self])
        let now = Date(timeIntervalSinceReferenceDate: 0)
        try store.insert(contentsOf: (1...2_500).map { number in
            Session(token: "t\(number)", user: number, expires: number % 5 == 0 ? nil : now + Double(number - 2_000))
        })
        expectOutput(try Session.find("t5", at: now, in: store)?.user ?? 0, is: #"5"#, at: "Docs/Cookbook.md:524")
        expectOutput(try Session.find("t4", at: now, in: store)?.user ?? 0, is: #"0"#, at: "Docs/Cookbook.md:525")
        expectOutput(try Session.removeExpired(at: now, in: store), is: #"1600"#, at: "Docs/Cookbook.md:526")
        expectOutput(try Session.query().count(in: store), is: #"900"#, at: "Docs/Cookbook.md:527")
        _ = store
        _ = now
    }
}
