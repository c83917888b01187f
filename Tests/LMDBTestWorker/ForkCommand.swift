// A program that forks with an open environment: every call in the child must be refused, and the parent must stay
// unharmed.

import Foundation
import LMDB

struct ForkCommand {
    let path: String

    private struct ChildIsDone: Error {}

    func run() throws {
        do {
            try forkInTransactions()
        } catch is ChildIsDone {
            _exit(0)
        }
    }

    private func forkInTransactions() throws {
        let environment = try Environment(path: path)
        let table = try environment.createDatabase("table")
        try environment.write { try $0.put([1], for: [1], in: table) }
        let isWritten = DispatchSemaphore(value: 0)
        let watch = FileWatch { isWritten.signal() }
        try watch.arm(on: environment)
        defer { watch.stop() }

        try environment.read { transaction in
            try inChild(of: environment, table) { codes in
                codes["get"] = code { try transaction.get([1], from: table) }
                codes["scan"] = code { try transaction.scan(table) { _, _ in .continue } }
            }
            guard try transaction.get([1], from: table) == [1] else { throw WorkerError(message: "snapshot lost") }
            let held = try environment.readers().filter { $0.process == getpid() && $0.transaction != nil }
            guard held.count == 1 else { throw WorkerError(message: "reader slot lost") }
        }
        try environment.write { transaction in
            try transaction.put([2], for: [2], in: table)
            try inChild(of: environment, table) { codes in
                codes["put"] = code { try transaction.put([3], for: [3], in: table) }
                codes["nested"] = code { try transaction.nested { _ in } }
            }
        }
        let values = try environment.read { try ($0.get([2], from: table), $0.get([3], from: table)) }
        guard values == ([2], nil) else { throw WorkerError(message: "the parent holds \(values)") }
        guard isWritten.wait(timeout: .now() + 10) == .success else { throw WorkerError(message: "watch lost") }
        say("unharmed")
    }

    /// Forks, tries all calls in the child, unwinds its copies of the open transactions, and waits for it.
    private func inChild(
        of environment: Environment, _ table: Database, _ trials: (inout [String: LMDBError.Code]) -> Void
    ) throws {
        let child = try fork()
        guard child == 0 else {
            var status: Int32 = 0
            guard unsafe waitpid(child, &status, 0) == child, status == 0 else {
                throw WorkerError(message: "the child ended with \(status)")
            }
            return
        }
        var codes: [String: LMDBError.Code] = [:]
        trials(&codes)
        codes["read"] = code { try environment.read { _ in } }
        codes["write"] = code { try environment.write { _ in } }
        codes["createDatabase"] = code { try environment.createDatabase("other") }
        codes["openDatabase"] = code { try environment.openDatabase("table") }
        codes["dropDatabase"] = code { try environment.dropDatabase("table") }
        codes["databaseNames"] = code { try environment.databaseNames() }
        codes["info"] = code { try environment.info }
        codes["lastTransaction"] = code { try environment.lastTransaction }
        codes["watch"] = code { try FileWatch {}.arm(on: environment) }
        codes["readers"] = code { try environment.readers() }
        codes["sweep"] = code { try environment.sweepStaleReaders() }
        codes["synchronize"] = code { try environment.synchronize() }
        codes["copy"] = code { try environment.copy(to: path + ".copy") }
        environment.shared.writers.enqueue {
            if code({ try environment.shared.beginWriteInTurn() }) != .usedAfterFork { _exit(2) }
        }
        let wrong = codes.filter { $0.value != .usedAfterFork }
        guard wrong.isEmpty else {
            say("in the child: \(wrong)")
            _exit(1)
        }
        // An environment of the child's own works next to the inherited environment.
        let own = try Environment(path: path)
        let ownTable = try own.openDatabase("table")
        guard try own.read({ try $0.get([1], from: ownTable) }) == [1] else { _exit(3) }
        throw ChildIsDone()
    }

    /// Swift hides `fork`, since a child is severely restricted. This test needs it nevertheless.
    private func fork() throws -> pid_t {
        typealias Fork = @convention(c) () -> pid_t
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "fork") else { throw WorkerError(message: "no fork") }
        return unsafe unsafeBitCast(symbol, to: Fork.self)()
    }
}

/// Returns the code of a closure's error; 0 without an error, -1 for an error other than LMDB's.
private func code(_ body: () throws -> some Any) -> LMDBError.Code {
    do {
        _ = try body()
        return LMDBError.Code(rawValue: 0)
    } catch {
        return (error as? LMDBError)?.code ?? LMDBError.Code(rawValue: -1)
    }
}
