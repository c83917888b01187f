// A small data file with something of everything: trees of one and two levels, values of many pages, free pages.

import Foundation
import LMDB
import TroveTestSupport

struct SampleFile: Sendable {
    /// The undamaged file.
    static let sound = Result { try SampleFile() }

    let bytes: [UInt8]
    let pageSize: Int

    private init() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("sample")
        do {
            let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
            pageSize = try environment.info.pageSize
            let numbers = try environment.createDatabase("numbers")
            let large = try environment.createDatabase("large")
            _ = try environment.createDatabase("empty")
            // Each round frees pages of the one before.
            for round in UInt8(0)..<3 {
                try environment.write { transaction in
                    for number in UInt8(0)..<80 {
                        try transaction.put([UInt8](repeating: round, count: 100), for: [number], in: numbers)
                    }
                    try transaction.put([UInt8](repeating: round, count: 9000), for: [round], in: large)
                    try transaction.delete([round &- 1], from: large)
                }
            }
        }
        bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Opens a file of these bytes, reads all of it, and writes to it.
    ///
    /// - Throws: A ``Violation`` where an error is none of LMDB's.
    static func use(_ bytes: [UInt8]) throws {
        let directory = try TemporaryDirectory()
        for isReadOnly in [true, false] {
            let path = directory.path(isReadOnly ? "read" : "written")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            do {
                let options = EnvironmentOptions(
                    mapSize: 1 << 22, durability: .noSync, isReadOnly: isReadOnly, busyTimeout: .zero)
                let environment = try Environment(path: path, options: options)
                try readAll(of: environment)
                if !isReadOnly { try write(to: environment) }
            } catch let error where !(error is LMDBError) {
                throw Violation("\(error)")
            } catch {}
        }
    }

    private static func readAll(of environment: Environment) throws {
        for name in try environment.databaseNames() {
            let database = try environment.openDatabase(name)
            try environment.read { transaction in
                try transaction.scan(database) { key, value in
                    // Copied, so that every byte is read.
                    _ = copiedBytes(key)
                    _ = copiedBytes(value)
                    return .continue
                }
            }
        }
    }

    private static func write(to environment: Environment) throws {
        for name in try environment.databaseNames() {
            let database = try environment.openDatabase(name)
            try environment.write { transaction in
                try transaction.put([UInt8](repeating: 1, count: 9000), for: [255], in: database)
                try transaction.delete([2], from: database)
            }
        }
        _ = try environment.createDatabase("new")
    }
}
