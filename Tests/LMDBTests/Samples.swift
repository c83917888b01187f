// The sample files, one in each format of LMDB.

import Foundation
import LMDB

enum Samples {
    /// Copies the sample file of a format.
    static func copy(_ format: FileFormat, to path: String) throws {
        let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Samples")
        let sample = samples.appending(path: "format\(format.rawValue).mdb")
        try Data(contentsOf: sample).write(to: URL(fileURLWithPath: path))
    }
}
