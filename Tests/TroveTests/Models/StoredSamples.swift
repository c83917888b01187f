// The samples in the folder Samples: stores of every version of the format, and texts.

import Foundation
import Trove

/// The samples of the tests, which never change.
enum StoredSamples {
    static let folder = (0..<2).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        .appending(path: "Samples")

    /// Copies a sample, and returns the path of the copy, which a test may change.
    ///
    /// The copy has the format of the loaded liblmdb, so that it can be opened without a conversion.
    static func copy(_ name: String, to path: String) throws -> String {
        try copyAsStored(name, to: path)
        if try !Store.upgradePlan(path: path).isUpToDate { try Store.upgrade(path: path) }
        return path
    }

    /// Copies a sample as it is.
    static func copyAsStored(_ name: String, to path: String) throws {
        try FileManager.default.copyItem(atPath: folder.appending(path: name).path, toPath: path)
    }
}
