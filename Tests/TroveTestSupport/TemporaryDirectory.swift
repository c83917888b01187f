// A temporary directory, removed at the end of its test.

import Foundation

/// A new, empty directory, removed with its contents when the last reference is released.
public final class TemporaryDirectory: Sendable {
    /// The path of the directory.
    public let path: String

    /// Creates the directory.
    public init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("trove-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a name in the directory.
    public func path(_ name: String) -> String { path + "/" + name }

    /// Returns the names in the directory, sorted.
    public func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
