// The commands of a second program on an environment: `command path [table first count value-size]`.

import Foundation
import LMDB

struct EnvironmentCommands {
    private let arguments: [String]
    let environment: Environment

    init(_ arguments: [String]) throws {
        self.arguments = arguments
        environment = try Environment(path: arguments[1], options: Self.options)
    }

    /// The options of all commands. With the variable, the loaded liblmdb counts as one without robust mutexes.
    private static var options: EnvironmentOptions {
        var options = EnvironmentOptions(mapSize: 1 << 20, durability: .noSync)
        options.hasRobustMutexes = ProcessInfo.processInfo.environment["TROVE_NO_ROBUST_MUTEXES"] == nil
        return options
    }

    /// Holds a snapshot until a line of input, or its end.
    func holdReader() throws {
        try environment.read { _ in
            say("holding")
            _ = readLine()
        }
        say("done")
    }

    /// Holds the writer lock, with uncommitted writes, until a line of input, or its end.
    func holdWriter() throws {
        try environment.write { transaction in
            let table = try transaction.createDatabase("unfinished")
            try transaction.put([1], for: [1], in: table)
            say("holding")
            _ = readLine()
        }
        say("done")
    }

    /// Writes, closes the environment, opens it again and writes, each after a line of input.
    func writeAndReopen() throws {
        say("open")
        _ = readLine()
        do {
            try environment.write { _ in }
            say("written")
        } catch let error as LMDBError {
            say("code \(error.code.rawValue)")
        }
        _ = try environment.databaseNames()
        try environment.close()
        say("closed")
        _ = readLine()
        try Environment(path: arguments[1], options: Self.options).write { _ in }
        say("written")
    }

    /// Writes numbered entries, each in a transaction of its own.
    func write() throws {
        let (first, count, size) = (number(3), number(4), number(5))
        let table = try environment.createDatabase(arguments[2])
        for number in first..<(first + count) {
            try environment.write { transaction in
                let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
                try transaction.put(value, for: key(number), in: table)
            }
        }
        say("done")
    }

    /// Reads a table repeatedly, until it contains the number of entries.
    func readUntil() throws {
        let table = try environment.createDatabase(arguments[2])
        var seen = 0
        while seen < number(3) {
            let now = try environment.read { transaction in
                var pairs = 0
                try transaction.scan(table) { _, _ in
                    pairs += 1
                    return .continue
                }
                return pairs
            }
            guard now >= seen else { throw WorkerError(message: "\(seen) pairs became \(now)") }
            seen = now
        }
        say("done")
    }

    /// Drops a table.
    func drop() throws {
        say(try environment.dropDatabase(arguments[2]) ? "done" : "there is none")
    }

    /// Continues with a file larger than the address space of this process.
    func starve() throws {
        let table = try environment.createDatabase(arguments[2])
        try environment.write { try $0.put([1], for: [0xFF], in: table) }
        func sayCount() throws { say("\(try environment.read { try $0.count(of: table) }) pairs") }
        try sayCount()
        _ = readLine()
        let limit = try AddressSpaceLimit(megabytesMore: 32)
        for _ in 0..<2 {
            do {
                try sayCount()
            } catch let error as LMDBError {
                say("code \(error.code.rawValue)")
            }
        }
        limit.lift()
        try sayCount()
        try environment.write { try $0.put([2], for: [0xFE], in: table) }
        say("written")
    }

    private func number(_ index: Int) -> Int { Int(arguments[index]) ?? 0 }

    private func key(_ number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}
