// The samples in the folder Samples: stores of every version of the format, and texts.

import Foundation

/// The samples of the tests, which never change.
enum StoredSamples {
    static let folder = (0..<2).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        .appending(path: "Samples")

    /// Copies a sample, and returns the path of the copy, which a test may change.
    static func copy(_ name: String, to path: String) throws -> String {
        try FileManager.default.copyItem(atPath: folder.appending(path: name).path, toPath: path)
        return path
    }
}
