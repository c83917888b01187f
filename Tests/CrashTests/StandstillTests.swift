// Processes suspended in the middle of a transaction, and forks there.

import Foundation
import Testing
import Trove
import TroveCrashWorker
import TroveTestSupport

@Suite("Suspended processes") struct StandstillTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("store")
    }

    private func child(_ command: String) throws -> ChildProcess {
        let child = try ChildProcess([command, path], executable: "TroveCrashWorker")
        #expect(child.readLine() == "holding")
        return child
    }

    private func signal(_ child: ChildProcess, _ signal: Int32) { _ = Glibc.kill(pid_t(child.identifier), signal) }

    @Test func aFork_inTheMiddleOfATransaction_isRefusedTheParentsStore_andHarmsNothing() throws {
        let child = try ChildProcess(["fork", path], executable: "TroveCrashWorker")
        #expect(child.readLine() == "unharmed")
        #expect(child.wait() == 0)
        #expect(try Account.query().keys(in: Store(path: path)) == [1, 2, 4, 5])
    }

    @Test func aSuspendedReader_blocksNoWriter_andIsListed() throws {
        let store = try Store(path: path)
        try store.insert(Account(number: 0, balance: 0))
        let reader = try child("hold-reader")
        signal(reader, SIGSTOP)
        for number in 1..<100 { try store.insert(Account(number: number, balance: number)) }
        #expect(try Account.query().count(in: store) == 100)
        #expect(try store.readers.contains { $0.process == reader.identifier && $0.commitsBehind == 99 })
        signal(reader, SIGCONT)
        try reader.writeLine("go")
        #expect(reader.readLine() == "saw 1")
        #expect(reader.readLine() == "done")
        #expect(reader.wait() == 0)
    }

    @Test func aSuspendedWriter_isWaitedForUpToTheTimeout_andThenGoesOn() throws {
        let timeout = Duration.milliseconds(50)
        let store = try Store(path: path, options: StoreOptions(busyTimeout: timeout))
        try store.insert(Account(number: 0, balance: 0))
        let writer = try child("hold-writer")
        signal(writer, SIGSTOP)
        for _ in 0..<3 {
            #expect(throws: StoreError.transaction(.writerBusy(path: store.path, timeout: timeout))) {
                try store.insert(Account(number: 2, balance: 2))
            }
            // Readers need not wait.
            #expect(try Account.query().keys(in: store) == [0])
        }
        signal(writer, SIGCONT)
        try writer.writeLine("go")
        #expect(writer.readLine() == "done")
        #expect(writer.wait() == 0)
        try store.insert(Account(number: 2, balance: 2))
        #expect(try Account.query().keys(in: store) == [0, 1, 2])
    }

    @Test func aSuspendedWriterThatIsKilled_isSucceededAtOnce() throws {
        let store = try Store(path: path)
        try store.insert(Account(number: 0, balance: 0))
        let writer = try child("hold-writer")
        signal(writer, SIGSTOP)
        writer.kill()
        try store.insert(Account(number: 2, balance: 2))
        #expect(try Account.query().keys(in: store) == [0, 2])
    }
}
