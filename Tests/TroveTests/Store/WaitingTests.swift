// The options for waiting: writes with timeouts, and old reads, reported and ended.

import Foundation
import LMDB
import Logging
import Testing
import Trove
import TroveStoreWorker
import TroveTestSupport

@Suite("Waiting") struct WaitingTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("a.trove")
    }

    private func open(_ timeout: Duration) throws -> Store {
        try Store(path: path, options: StoreOptions(durability: .noSync, busyTimeout: timeout))
    }

    /// Starts another process, held in the middle of a write.
    private func holder() throws -> ChildProcess {
        let child = try ChildProcess(["hold", path, "child", "3"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        #expect(child.readLine() == "holding")
        return child
    }

    @Test func writes_giveUp_whileAnotherProcessHangs_andReadsGoOn() async throws {
        let store = try open(.milliseconds(40))
        let busy = StoreError.transaction(.writerBusy(path: store.path, timeout: .milliseconds(40)))
        let child = try holder()
        child.suspend()
        #expect(storeError { try store.insert(Line(writer: "a", number: 1)) } == busy)
        #expect(try await store.read { try Line.query().count(in: $0) } == 0)
        // All writes wait at the same time, not each after the timeout of the previous write.
        await withTaskGroup(of: StoreError?.self) { group in
            for number in 0..<20 {
                group.addTask {
                    do {
                        try await store.write { try $0.insert(Line(writer: "a", number: number)) }
                        return nil
                    } catch {
                        return error as? StoreError
                    }
                }
            }
            for await error in group { #expect(error == busy) }
        }
        child.resume()
        try child.writeLine("end")
        #expect(child.readLine() == "done")
        #expect(child.wait() == 0)
        let patient = try await Store(path: path, options: StoreOptions(durability: .noSync))
        try insertPatiently(Line(writer: "a", number: 1), into: patient)
        #expect(try await Line.query().keys(in: patient).count == 4)
    }

    /// Retries, because the options are those of the first reference: a write may still find the abandoned thread.
    private func insertPatiently(_ line: Line, into store: Store) throws {
        while true {
            do {
                _ = try store.insert(line)
                return
            } catch StoreError.transaction(.writerBusy) {
                continue
            }
        }
    }

    @Test func withoutATimeout_aWriteWaits_asLongAsItTakes() throws {
        let child = try holder()
        let store = try Store(path: path, options: StoreOptions(durability: .noSync))
        let writing = RunningThread { try store.insert(Line(writer: "a", number: 1)) }
        try child.writeLine("end")
        _ = try writing.value()
        #expect(try Line.query().count(in: store) == 4)
    }

    @Test func readers_areTheSnapshotsOfAllProcesses() throws {
        let store = try Store(path: path, options: StoreOptions(durability: .noSync))
        try store.insert(Line(writer: "a", number: 1))
        try store.read { _ in
            for number in 2..<7 { try store.insert(Line(writer: "a", number: number)) }
            let mine = try store.readers.filter { $0.process == Int(ProcessInfo.processInfo.processIdentifier) }
            #expect(mine.compactMap(\.commitsBehind).max() == 5)
        }
        #expect(try store.readers.allSatisfy { $0.commitsBehind == nil })
    }

    @Test func anOldRead_isLogged_andEnded_whereThatIsWanted() throws {
        let log = CapturedLog.installed
        let options = StoreOptions(durability: .noSync, maximumReadAge: .milliseconds(20), endsOldReads: true)
        let store = try Store(path: path, options: options)
        try store.write { context in
            for number in 0..<1000 { try context.insert(Line(writer: "a", number: number)) }
        }
        let error = storeError {
            try store.read { context in
                while try Line.query().count(in: context) == 1000 {}
            }
        }
        #expect(error == .transaction(.readExpired(path: store.path)))
        // The read is logged right after it was ended.
        while log.messages(about: store.path).isEmpty {}
        #expect(log.messages(about: store.path).first?.contains("maximum age") == true)
        #expect(try Line.query().resolve(in: store).count == 1000)
        #expect(try store.readers.allSatisfy { $0.commitsBehind == nil })
    }

    @Test func anOldRead_isOnlyLogged_byDefault() throws {
        let log = CapturedLog.installed
        let options = StoreOptions(durability: .noSync, maximumReadAge: .milliseconds(20))
        let store = try Store(path: path, options: options)
        let counts = try store.read { context in
            let before = try Line.query().count(in: context)
            while log.messages(about: store.path).isEmpty {}
            return [before, try Line.query().count(in: context)]
        }
        #expect(counts == [0, 0])
    }
}

/// The log of this process. A logging system can be set up only once.
final class CapturedLog: Sendable {
    static let installed: CapturedLog = {
        let log = CapturedLog()
        LoggingSystem.bootstrap { _ in Handler(log: log) }
        return log
    }()

    private let lines = Monitor<[String]>([])
    private let reactions = Monitor<[(path: String, body: @Sendable () -> Void)]>([])

    /// Calls a closure for each later line whose metadata has this path, as the log handler of a program does.
    func react(to path: String, _ body: @escaping @Sendable () -> Void) {
        reactions.withLock { $0.append((path, body)) }
    }

    private func note(_ line: String) {
        lines.withLock { $0.append(line) }
        let reactions = reactions.withLock { $0.filter { line.contains($0.path) } }
        for reaction in reactions { reaction.body() }
    }

    /// Returns the lines whose metadata has this path.
    func messages(about path: String) -> [String] { lines.withLock { $0 }.filter { $0.contains(path) } }

    private struct Handler: LogHandler {
        let log: CapturedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.note("\(event.level) \(event.message) \(event.metadata ?? [:])")
        }
    }
}
