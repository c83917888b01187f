// A program that observes its store while its own commits may fail: `observe PATH READS`. It edits and saves account 1
// twice, and prints after each save
//
//     saved OUTCOME
//     stored BALANCE…            the stored accounts
//     list BALANCE…              the rows of a list
//     object BALANCE STATE       what the live object shows; STATE is `edited` or `unedited`
//
// and at the end, when a closure has read account 2 at least READS times:
//
//     values BALANCE…, …         all values of a sequence
//     done

import Foundation
import LMDB
import Trove

struct ObserveCommand {
    /// What the observing tasks have got.
    private struct Seen {
        var values: [[Int]] = []
        /// The number of runs of the closure that reads account 2.
        var reads = 0
        /// Whether the closure's first value has arrived. Then a commit of other records does not run it again.
        var hasRead = false
    }

    private let store: Store
    private let reads: Int
    private let seen = Monitor(Seen())

    init(_ arguments: [String]) throws {
        guard arguments.count == 2, let reads = Int(arguments[1]) else { throw WorkerError(arguments: arguments) }
        store = try Store(path: arguments[0])
        self.reads = reads
    }

    func run() throws {
        guard let account = try Account.live(1, in: store) else { throw WorkerError(arguments: ["no account 1"]) }
        let list = try LiveList(Account.query(), in: store)
        let observing = [observeAll(), observeTheOther()]
        defer { for task in observing { task.cancel() } }
        try wait(for: "the first values") { !$0.values.isEmpty && $0.hasRead }
        for balance in 1...2 {
            account.balance = balance
            say("saved \(save(account).rawValue)")
            // Afterwards, objects and lists show each commit.
            try store.live.refresh()
            let stored = try Account.query().resolve(in: store).map(\.balance)
            try wait(for: "\(stored)") { $0.values.last == stored }
            say("stored \(text(stored))")
            say("list \(text(list.rows.records.map(\.balance)))")
            say("object \(account.balance) \(account.hasChanges ? "edited" : "unedited")")
        }
        try wait(for: "\(reads) reads") { $0.reads >= reads }
        let values = seen.withLock { $0.values }
        say("values \(values.map { text($0) }.joined(separator: ", "))")
        say("done")
    }

    private func text(_ balances: [Int]) -> String { balances.map { "\($0)" }.joined(separator: " ") }

    private func save(_ account: Live<Account>) -> Outcome {
        do {
            try account.save()
            return .acknowledged
        } catch {
            return Outcome(error, in: store)
        }
    }

    // MARK: Observing

    private func observeAll() -> Task<Void, Never> {
        observe(Account.query().values(in: store)) { seen, accounts in seen.values.append(accounts.map(\.balance)) }
    }

    /// Observes a closure that depends on account 2 alone.
    private func observeTheOther() -> Task<Void, Never> {
        let balances = store.observe { [seen] context in
            seen.withLock { $0.reads += 1 }
            seen.wakeAll()
            return try context.get(Account.self, key: 2)?.balance
        }
        return observe(balances) { seen, _ in seen.hasRead = true }
    }

    private func observe<Value: Sendable>(
        _ values: ObservedValues<Value>, _ note: @escaping @Sendable (inout Seen, Value) -> Void
    ) -> Task<Void, Never> {
        Task.detached { [seen] in
            do {
                for try await value in values {
                    seen.withLock { note(&$0, value) }
                    seen.wakeAll()
                }
            } catch {
                say("error: \(error)")
            }
        }
    }

    /// Waits until a condition holds.
    private func wait(for what: String, _ condition: (Seen) -> Bool) throws {
        let holds: Void? = seen.wait(within: .seconds(120)) { condition($0) ? () : nil }
        guard holds != nil else {
            throw WorkerError(arguments: ["waited for \(what), seen: \(seen.withLock { $0 })"])
        }
    }
}
