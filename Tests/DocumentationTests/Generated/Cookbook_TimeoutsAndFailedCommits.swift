// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1995
@IndexKeyRecord("number")
private struct Order {
    let number: Int
    var total: Double
}

// Docs/Cookbook.md:2001
private func save(_ order: Order, in store: Store) throws -> Bool {
    do {
        try store.insert(order)
        return true
    } catch StoreError.transaction(.writerBusy) {
        return false  // another process has been writing for two seconds: nothing was written here
    } catch StoreError.file(.diskFull) {
        return false  // nothing was written: free some space, and try again
    } catch StoreError.transaction(.commitFailed(_, .unknown, let sequence, _)) {
        // The disk failed in the write that makes a commit current. Does the store hold this commit?
        return try store.commitSequence >= sequence
    }
}

enum Cookbook_TimeoutsAndFailedCommits {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1992
        let options = StoreOptions(busyTimeout: .seconds(2), maximumReadAge: .seconds(30))
        let store = try Store(path: samplePath("orders.trove"), options: options)



        expectOutput(try save(Order(number: 1, total: 9.5), in: store), is: #"true"#, at: "Docs/Cookbook.md:2015")
        _ = options
        _ = store
    }
}
