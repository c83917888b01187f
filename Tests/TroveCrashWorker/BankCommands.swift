// A bank: money moves between accounts, and each move is a record. Killed processes must neither create nor lose money.

import Trove

@IndexKeyRecord("number")
package struct Account: Hashable {
    package let number: Int
    package var balance: Int

    package init(number: Int, balance: Int) {
        self.number = number
        self.balance = balance
    }
}

/// An amount that was moved between two accounts. Each writer numbers its own moves.
@IndexKeyRecord("writer", "number")
package struct Move: Hashable {
    package let writer: String
    package let number: Int
    package var amount: Int

    package init(writer: String, number: Int, amount: Int) {
        self.writer = writer
        self.number = number
        self.amount = amount
    }
}

/// The bank's books in a snapshot.
package struct Books: Hashable, Sendable {
    package static let accountCount = 100
    package static let total = 100 * 1000
    /// The number of recent moves that each writer keeps.
    package static let movesKept = 50

    package var sum = 0
    /// The number of each writer's last move.
    package var last: [String: Int] = [:]
    /// Contradictions in the books.
    package var faults: [String] = []

    /// Creates the accounts of a new store.
    package static func open(in store: Store) throws {
        try store.write { context in
            for number in 0..<accountCount {
                try context.insert(Account(number: number, balance: total / accountCount))
            }
        }
    }

    package init(in context: ReadContext) throws {
        let accounts = try Account.query().resolve(in: context)
        sum = accounts.reduce(0) { $0 + $1.balance }
        if sum != Self.total || accounts.count != Self.accountCount {
            faults.append("\(accounts.count) accounts hold \(sum)")
        }
        for move in try Move.query().resolve(in: context) {
            if let last = last[move.writer], move.number != last + 1 {
                faults.append("\(move.writer): \(move.number) follows \(last)")
            }
            last[move.writer] = move.number
        }
    }
}

struct BankCommands {
    private let store: Store
    private let name: String

    init(_ arguments: [String]) throws {
        guard arguments.count == 2 else { throw WorkerError(arguments: arguments) }
        // Flushing widens the window between the parts of a commit, for kills within it.
        store = try Store(path: arguments[0], options: StoreOptions(verifiesChecksums: true))
        name = arguments[1]
    }

    /// Moves money, and prints the number of each committed move, until the process is killed.
    func transfer() throws {
        say("ready")
        var number = try (Move.query(writer: name).order(.descending).first(in: store)?.number ?? -1) + 1
        while true {
            try store.write { context in
                let amount = Int.random(in: 1...100)
                let from = Int.random(in: 0..<Books.accountCount)
                try pay(-amount, to: from, in: context)
                // The other half of the move is in a nested transaction, which sometimes succeeds only at the second
                // attempt.
                for isKept in number % 3 == 0 ? [false, true] : [true] {
                    let to = Int.random(in: 0..<Books.accountCount)
                    do {
                        try context.nested { context in
                            try pay(amount, to: to, in: context)
                            if !isKept { throw Undone() }
                        }
                    } catch is Undone {
                        continue
                    }
                }
                try context.insert(Move(writer: name, number: number, amount: amount))
                try context.delete(Move.self, key: Tuple(name, number - Books.movesKept))
            }
            say("\(number)")
            number += 1
        }
    }

    private struct Undone: Error {}

    private func pay(_ amount: Int, to number: Int, in context: TransactionContext) throws {
        guard var account = try context.get(Account.self, key: number) else {
            throw WorkerError(arguments: ["no account \(number)"])
        }
        account.balance += amount
        try context.insert(account)
    }

    /// Checks the books in successive snapshots, and prints the number of audits, until the process is killed.
    func audit() throws {
        say("ready")
        var last: [String: Int] = [:]
        for count in 1... {
            let books = try store.read { context in try Books(in: context) }
            for (writer, number) in last where books.last[writer] ?? -1 < number {
                say("wrong: \(writer) went back from \(number)")
            }
            for fault in books.faults { say("wrong: \(fault)") }
            last = books.last
            if count % 100 == 0 { say("audited \(count)") }
        }
    }
}
