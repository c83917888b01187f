// A directory of a test's own, which is gone when the test is.

import Foundation

/// A new, empty directory, removed with all it holds when the last reference goes.
public final class TemporaryDirectory: Sendable {
    /// The path of the directory.
    public let path: String

    /// Makes the directory.
    public init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("trove-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a name in the directory.
    public func path(_ name: String) -> String { path + "/" + name }

    /// The names of what lies in the directory, sorted.
    public func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
