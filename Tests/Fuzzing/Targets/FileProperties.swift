// The properties of the pages of a data file. Verifying and opening any file succeeds or throws a typed error. If the
// verification finds nothing, the whole file can be read and written.
//
//     input of meta  = bytes of the first meta page · bytes of the second     fewer: the rest is unchanged
//     input of pages = edit*
//     edit           = page 1 · offset 2 · count 1 · bytes to put there       count 0: the file is cut off there

import Foundation
import LMDB
import TroveTestSupport

enum FileProperties {
    /// The number of bytes of a meta page with a meaning for liblmdb.
    private static let metaSize = 152

    static func checkMetaPages(_ input: [UInt8]) throws {
        let sample = try SampleFile.sound.get()
        var bytes = sample.bytes
        for (index, byte) in input.prefix(2 * metaSize).enumerated() {
            bytes[index < metaSize ? index : sample.pageSize + index - metaSize] = byte
        }
        try check(bytes)
    }

    static func checkPages(_ input: [UInt8]) throws {
        let sample = try SampleFile.sound.get()
        var bytes = sample.bytes
        var rest = input[...]
        while rest.count >= 4 {
            let head = Array(rest.prefix(4))
            let edit = rest.dropFirst(4).prefix(Int(head[3]))
            rest = rest.dropFirst(4 + Int(head[3]))
            let place = Int(head[0]) * sample.pageSize + (Int(head[1]) << 8 | Int(head[2])) % sample.pageSize
            if head[3] == 0 { bytes.removeSubrange(min(place, bytes.count)...) }
            for (index, byte) in zip(place..., edit) where index < bytes.count { bytes[index] = byte }
        }
        try check(bytes)
    }

    private static func check(_ bytes: [UInt8]) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("file")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let report = try valueOrLMDBError { try FileVerification.run(path) }
        // Contents that this library never writes are not damage, but it need not support them.
        let isSound = report.map { $0.isSound && !$0.findings.contains { $0.kind == .foreign } } ?? false
        for isReadOnly in [true, false] {
            let options = EnvironmentOptions(mapSize: 1 << 22, durability: .noSync, isReadOnly: isReadOnly)
            let environment = try valueOrLMDBError { try Environment(path: path, options: options) }
            guard isSound else { continue }
            guard let environment else { throw Violation("a file without a finding is not opened") }
            do {
                try readAll(of: environment)
                if !isReadOnly { try write(to: environment) }
            } catch {
                throw Violation("a file without a finding fails: \(error)")
            }
        }
    }

    /// Returns the result of the closure; nil if it throws an ``LMDBError``. Any other error is a violation.
    private static func valueOrLMDBError<Value>(_ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch is LMDBError {
            return nil
        } catch {
            throw Violation("\(error)")
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
