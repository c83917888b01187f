// A program that migrates a store's parcels: `migrate PATH LAYOUT POLICY STEPS`. It prints for the test
//
//     step DONE TOTAL
//     held                       after STEPS steps, unless STEPS is 0; then it waits to be killed
//     memory PEAK FILES          in KiB, at the end: the resident peak, and the part of it in mapped files
//     done

import Foundation
import LMDB
import Trove

struct MigrateCommand {
    private let path: String
    private let type: any IndexKeyRecord.Type
    private let policy: MigrationPolicy
    private let heldAfter: Int

    init(_ arguments: [String]) throws {
        guard arguments.count == 4, let steps = Int(arguments[3]) else { throw WorkerError(arguments: arguments) }
        path = arguments[0]
        type = arguments[1] == "shelved" ? ShelvedParcel.self : WideParcel.self
        policy = arguments[2] == "background" ? .background : .onOpen
        heldAfter = steps
    }

    func run() throws {
        let steps = Monitor(0)
        let heldAfter = heldAfter
        let store = try Store(path: path, records: [type], migrations: policy) { step in
            say("step \(step.done) \(step.total)")
            let count = steps.withLock { steps in
                steps += 1
                return steps
            }
            guard count == heldAfter else { return }
            say("held")
            while true { _ = pause() }
        }
        while try !isMigrated(store) { sched_yield() }
        say("memory \(try Self.memory("VmHWM")) \(try Self.memory("RssFile"))")
        say("done")
    }

    private func isMigrated(_ store: Store) throws -> Bool {
        try store.read { context in
            try context.storedTypes().allSatisfy { $0.possibleVersions == [type.fieldsVersion] && $0.migration == nil }
        }
    }

    /// Returns a number of the system's status of this process, in KiB.
    static func memory(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line.flatMap { $0.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first } ?? 0
    }
}
