// Processes killed at any moment, while others read and write the same store. Every acknowledged commit is
// stored, nothing is stored in part, and no process is blocked.

import Foundation
import Testing
import Trove
import TroveCrashWorker
import TroveTestSupport

@Suite("Killed processes", .serialized) struct BankTests {
    private let directory: TemporaryDirectory
    private let store: Store
    private let seed: UInt64
    private let generator: SeededGenerator

    init() throws {
        directory = try TemporaryDirectory()
        store = try Store(path: directory.path("bank"))
        (generator, seed) = SeededGenerator.fromEnvironment()
        try Books.open(in: store)
    }

    private func books() throws -> Books { try store.read { context in try Books(in: context) } }

    /// A worker process, and the file with its output.
    private final class Member {
        let command: String
        let name: String
        private let worker: Worker

        init(_ command: String, _ name: String, in directory: TemporaryDirectory) throws {
            self.command = command
            self.name = name
            worker = try Worker(
                [command, directory.path("bank"), name], output: directory.path("ledger-\(UUID().uuidString)"))
        }

        func hasSaid(_ count: Int) throws -> Bool { try worker.hasSaid(count) }

        /// Kills the process. Returns the number of its last acknowledged move, the number of its audits, and all other
        /// lines of its output.
        func kill() throws -> (last: Int?, audits: Int, complaints: [Substring]) {
            worker.kill()
            var (last, audits, complaints) = (Int?.none, 0, [Substring]())
            for line in try worker.lines() where line != "ready" {
                if let number = Int(line) {
                    last = number
                } else if line.hasPrefix("audited ") {
                    audits = Int(line.dropFirst(8)) ?? 0
                } else {
                    complaints.append(line)
                }
            }
            return (last, audits, complaints)
        }
    }

    /// Kills a process, and compares its output with the books.
    private func kill(
        _ member: Member, _ known: inout [String: Int], _ comment: Comment
    ) throws -> Int {
        let (last, audits, complaints) = try member.kill()
        #expect(complaints.isEmpty, comment)
        if let last { known[member.name] = last }
        // A process may be killed after its commit, before it publishes the transaction number in the lock file. Then
        // the next writer publishes the number.
        try store.write { _ in }
        let books = try books()
        #expect(books.faults.isEmpty, comment)
        if member.command == "transfer" {
            let (acknowledged, found) = (known[member.name] ?? -1, books.last[member.name] ?? -1)
            // The move under way may have become durable before the process could acknowledge it.
            #expect(
                found == acknowledged || found == acknowledged + 1, "\(comment): \(found) found, \(acknowledged) known")
            known[member.name] = found
        }
        return audits
    }

    @Test func killedAtAnyMoment_whileOthersReadAndWrite_keepsWhatItAcknowledged() throws {
        var generator = generator
        let cycles = Torture.amount(50, full: 1000)
        let others = try [("transfer", "steady"), ("audit", "first"), ("audit", "second")].map { command, name in
            try Member(command, name, in: directory)
        }
        for other in others { #expect(try other.hasSaid(2)) }
        var known: [String: Int] = [:]
        for cycle in 0..<cycles {
            let comment: Comment = "cycle \(cycle), TROVE_TEST_SEED=\(seed)"
            let victim = try Member("transfer", "victim", in: directory)
            let isRunning = try victim.hasSaid(Int.random(in: 0..<8, using: &generator))
            #expect(isRunning, comment)
            // The kill then comes at any moment of the next transactions.
            let moment = ContinuousClock.now + .microseconds(Int.random(in: 0..<600, using: &generator))
            while ContinuousClock.now < moment {}
            _ = try kill(victim, &known, comment)
        }
        let audits = try others.reduce(0) { try $0 + kill($1, &known, "at the end") }
        #expect(known["steady"] ?? 0 > cycles)
        #expect(known["victim"] ?? 0 > cycles)
        #expect(audits > 0)
        try Torture.report(
            "kill -9 cycles", "\(cycles), during \(known["steady"] ?? 0) commits and \(audits) audits of others")
    }

    @Test func twoWriters_fourReaders_andOneThatKillsThem_keepTheSum() throws {
        var generator = generator
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        let roles = [("transfer", "a"), ("transfer", "b")] + (0..<4).map { ("audit", "reader \($0)") }
        var members = try roles.map { command, name in try Member(command, name, in: directory) }
        var known: [String: Int] = [:]
        var (kills, audits) = (0, 0)
        let end = ContinuousClock.now + .seconds(Torture.amount(2, full: 120))
        while ContinuousClock.now < end {
            // These reads take a random time.
            for _ in 0..<Int.random(in: 0..<200, using: &generator) {
                let faults = try books().faults
                #expect(faults.isEmpty, comment)
            }
            let index = Int.random(in: 0..<members.count, using: &generator)
            audits += try kill(members[index], &known, comment)
            kills += 1
            members[index] = try Member(roles[index].0, roles[index].1, in: directory)
        }
        for member in members { #expect(try member.hasSaid(2), comment) }
        for member in members { audits += try kill(member, &known, comment) }
        #expect(known["a"] ?? 0 > 0 && known["b"] ?? 0 > 0)
        try Torture.report(
            "soak",
            "\(Torture.amount(2, full: 120)) s, \(kills) kills, \((known["a"] ?? 0) + (known["b"] ?? 0)) "
                + "commits, \(audits) audits")
    }
}
