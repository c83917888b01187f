// A process that stays in the middle of a transaction until it is told to go on.

import Foundation
import Trove

struct HoldCommands {
    private let store: Store

    init(_ arguments: [String]) throws {
        guard arguments.count == 1 else { throw WorkerError(arguments: arguments) }
        store = try Store(path: arguments[0])
    }

    /// Holds the writer's lock, with something written, until a line comes.
    func holdWriter() throws {
        try store.write { context in
            try context.insert(Account(number: 1, balance: 1))
            say("holding")
            _ = readLine()
        }
        say("done")
    }

    /// Holds a snapshot until a line comes, and says how many accounts it shows then.
    func holdReader() throws {
        let count = try store.read { context in
            _ = try Account.query().count(in: context)
            say("holding")
            _ = readLine()
            return try Account.query().count(in: context)
        }
        say("saw \(count)")
        say("done")
    }
}
