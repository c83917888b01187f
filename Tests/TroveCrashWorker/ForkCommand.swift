// A program that forks in the middle of a transaction. The child is refused its parent's store, may open the file for
// itself, and leaves the parent unharmed, which goes on to observe its store.

import Foundation
import Trove

struct ForkCommand {
    private let path: String

    init(_ arguments: [String]) throws {
        guard arguments.count == 1 else { throw WorkerError(arguments: arguments) }
        path = arguments[0]
    }

    private struct ChildIsDone: Error {}

    func run() throws {
        do {
            try forkInTransactions()
        } catch is ChildIsDone {
            _exit(0)
        }
    }

    private func forkInTransactions() throws {
        let store = try Store(path: path)
        let (reported, observing) = try observe(store)
        let account = try Account.live(1, in: store, orCreate: { Account(number: 1, balance: 1) })
        let list = try LiveList(Account.query(), in: store)
        try store.live.refresh()
        defer { observing.cancel() }
        waitForSilence(of: reported)
        try store.write { context in
            try context.insert(Account(number: 2, balance: 2))
            try inChild {
                try refuseAll(of: store, context)
                try refuse { try context.insert(Account(number: 3, balance: 3)) }
                try refuse { try context.nested { _ in } }
                try refuseLive(account, list, of: store)
                // The last commit, without the parent's uncommitted writes.
                guard try balances(in: Store(path: path)) == [1: 1] else { _exit(2) }
            }
        }
        guard try balances(in: store) == [1: 1, 2: 2] else { throw WorkerError(arguments: ["the parent lost a write"]) }
        waitForSilence(of: reported)
        try store.read { context in
            try inChild {
                try refuseAll(of: store, context)
                let own = try Store(path: path)
                try own.insert(Account(number: 4, balance: 4))
                guard try balances(in: own) == [1: 1, 2: 2, 4: 4] else { _exit(3) }
            }
            guard try Account.query().count(in: context) == 2 else { throw WorkerError(arguments: ["snapshot lost"]) }
        }
        guard try balances(in: store) == [1: 1, 2: 2, 4: 4] else {
            throw WorkerError(arguments: ["the child's write is not to be seen"])
        }
        while reported.wait(timeout: .now()) == .success {}
        try store.insert(Account(number: 5, balance: 5))
        reported.wait()
        account.balance = 10
        try account.save()
        try store.live.refresh()
        guard list.rows.records.map(\.balance) == [10, 2, 4, 5], store.live.unsavedCount == 0 else {
            throw WorkerError(arguments: ["the parent's live objects are harmed"])
        }
        try account.delete()
        try store.insert(Account(number: 1, balance: 1))
        say("unharmed")
    }

    /// Observes the store, and writes the first account until the observer is notified.
    ///
    /// - Returns: What is signaled for each change, and the observing task.
    private func observe(_ store: Store) throws -> (reported: DispatchSemaphore, observing: Task<Void, any Error>) {
        let reported = DispatchSemaphore(value: 0)
        let observing = Task.detached {
            for try await _ in store.changes { reported.signal() }
        }
        repeat {
            try store.insert(Account(number: 1, balance: 1))
        } while reported.wait(timeout: .now() + .milliseconds(10)) == .timedOut
        return (reported, observing)
    }

    /// Waits until no change was reported for a while: a lock that a round holds at the fork, such as one of Swift's
    /// runtime, would stay locked in the child.
    private func waitForSilence(of reported: DispatchSemaphore) {
        while reported.wait(timeout: .now() + .milliseconds(200)) == .success {}
    }

    private func balances(in store: Store) throws -> [Int: Int] {
        let accounts = try Account.query().resolve(in: store)
        return Dictionary(uniqueKeysWithValues: accounts.map { ($0.number, $0.balance) })
    }

    /// Tries the operations of a store and a context that the parent opened; all must be refused.
    private func refuseAll(of store: Store, _ context: ReadContext) throws {
        try refuse { try context.get(Account.self, key: 1) }
        try refuse { try store.get(Account.self, key: 1) }
        try refuse { try store.read { _ in } }
        try refuse { try store.write { _ in } }
        try refuse { try store.commitSequence }
        try refuse { try store.copy(to: path + ".copy") }
    }

    /// Tries what live objects and lists of the parent do. Their values stay readable.
    private func refuseLive(_ account: Live<Account>, _ list: LiveList<Account>, of store: Store) throws {
        guard account.balance == 1, list.rows.records.map(\.balance) == [1] else { _exit(4) }
        try refuse { try Account.live(1, in: store) }
        try refuse { try Account.live([1], in: store) }
        try refuse { try Account.create(Account(number: 6, balance: 6), in: store) }
        try refuse { try account.refresh() }
        try refuse { try list.reload() }
        try refuse { try LiveList(Account.query(), in: store) }
        account.balance = 6
        try refuse { try account.save() }
        try refuse { try store.live.saveAllChanges() }
        try refuse { try account.delete() }
        guard account.balance == 6, account.hasChanges else { _exit(5) }
    }

    private func refuse(_ use: () throws -> some Any) throws {
        do {
            _ = try use()
        } catch StoreError.transaction(.usedAfterFork) {
            return
        }
        throw WorkerError(arguments: ["the child was not refused"])
    }

    /// Forks, runs a closure in the child, whose copies of the open transactions then unwind, and waits for the child.
    private func inChild(_ body: () throws -> Void) throws {
        let child = try fork()
        guard child == 0 else {
            var status: Int32 = 0
            guard unsafe waitpid(child, &status, 0) == child, status == 0 else {
                throw WorkerError(arguments: ["the child ended with \(status)"])
            }
            return
        }
        // A lock that is locked nevertheless ends the child, and the test fails instead of standing still.
        alarm(60)
        do {
            try body()
        } catch {
            say("in the child: \(error)")
            _exit(1)
        }
        throw ChildIsDone()
    }

    /// Calls `fork`, which Swift hides because a child may do so little. This test is about exactly that.
    private func fork() throws -> pid_t {
        typealias Fork = @convention(c) () -> pid_t
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "fork") else {
            throw WorkerError(arguments: ["no fork"])
        }
        return unsafe unsafeBitCast(symbol, to: Fork.self)()
    }
}
