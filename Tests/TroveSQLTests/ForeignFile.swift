// Files of SQLite, as other programs write them.

import CSQLite
import Foundation
import TroveSQL

/// A directory for files of SQLite, which is removed with its contents.
final class ForeignDirectory: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "trove-foreign-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Creates a file of SQLite by some statements, and returns its path.
    func file(_ name: String, _ statements: String...) throws -> String {
        let database = try NativeDatabase(path: path + "/" + name)
        for statement in statements { _ = try database.rows(statement) }
        return path + "/" + name
    }

    /// The names of the files and their bytes.
    var contents: [String: Data] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            return try Dictionary(
                uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: path + "/" + $0))) })
        }
    }
}
