// The Swift samples of Docs/LiveObjects.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Observation
import Trove

// Docs/LiveObjects.md:264
@IndexKeyRecord("id")
private struct User {
    let id: Int
    var name: String
    var age: Int
}

enum LiveObjects_Observation {
    @Sendable static func run() throws {
        // Docs/LiveObjects.md:261


        let store = try Store.temporary(records: [User.self])
        let user = try User.create(User(id: 1, name: "Korben", age: 45), in: store)
        withObservationTracking {
            expectOutput(user.name, is: #"Korben"#, at: "Docs/LiveObjects.md:274")
        } onChange: {
            expectOutput(user.name, is: #"Dallas"#, at: "Docs/LiveObjects.md:276")
        }
        user.age = 46  // not observed
        user.name = "Dallas"
        // Docs/LiveObjects.md:293
        func compiledOnly2() throws {
            store.live.delivery = MainActor.shared
        }
        _ = store
        _ = user
        _ = compiledOnly2
    }
}
