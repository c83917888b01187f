// A program that migrates a store's parcels or readers: `migrate PATH LAYOUT POLICY STEPS`. It prints for the test
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
        type = try Self.type(arguments[1])
        policy = arguments[2] == "background" ? .background : .onOpen
        heldAfter = steps
    }

    /// Returns the record type with the layout of an argument.
    private static func type(_ layout: String) throws -> any IndexKeyRecord.Type {
        switch layout {
        case "wide": WideParcel.self
        case "shelved": ShelvedParcel.self
        case "oneWay": OneWayReaders.Reader.self
        case "mutual": MutualReaders.Reader.self
        case "named": NamedReaders.Reader.self
        default: throw WorkerError(arguments: [layout])
        }
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
            try context.storedTypes().allSatisfy { stored in
                stored.migration == nil
                    && (stored.keyPrefix != type.keyPrefix || stored.possibleVersions == [type.fieldsVersion])
            }
        }
    }

    /// Returns a number of the system's status of this process, in KiB.
    static func memory(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line.flatMap { $0.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first } ?? 0
    }
}
