// A record with a unique name, written by two processes at the same time.

import Trove

@IndexKeyRecord(keyPrefix: 4_000_031, "number")
package struct UniqueItem: Hashable {
    #Index<UniqueItem>(\.writer)
    #Unique<UniqueItem>(\.name, collisions: .throw)

    package let number: Int
    package var writer: String
    package var name: String

    package init(number: Int, writer: String, name: String) {
        (self.number, self.writer, self.name) = (number, writer, name)
    }
}

/// A program to claim names in sequence, each under a number of its own. It prints the number of claimed names, and
/// the number of refused names.
struct ClaimingProgram {
    let store: Store
    let writer: String
    let count: Int

    func run() throws {
        let offset = writer == "first" ? 0 : count
        var (claimed, refused) = (0, 0)
        for name in 0..<count {
            do {
                try store.insert(UniqueItem(number: offset + name, writer: writer, name: "name \(name)"))
                claimed += 1
            } catch StoreError.record(.notUnique) {
                refused += 1
            }
        }
        TroveStoreWorker.say("\(claimed) \(refused)")
    }
}
