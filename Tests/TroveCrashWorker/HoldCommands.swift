// A process that stays in the middle of a transaction until a line arrives.

import Foundation
import Trove

struct HoldCommands {
    private let store: Store
    private let number: Int

    /// - Parameter arguments: The path, and the number of the account that a writer stores; 1 by default.
    init(_ arguments: [String]) throws {
        guard 1...2 ~= arguments.count, let number = arguments.count == 1 ? 1 : Int(arguments[1]) else {
            throw WorkerError(arguments: arguments)
        }
        store = try Store(path: arguments[0])
        self.number = number
    }

    /// Holds the writer's lock with uncommitted changes until a line arrives.
    func holdWriter() throws {
        try store.write { context in
            try context.insert(Account(number: number, balance: number))
            say("holding")
            _ = readLine()
        }
        say("done")
    }

    /// Holds a snapshot until a line arrives, and then prints the number of accounts in it.
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
