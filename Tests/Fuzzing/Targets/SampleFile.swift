// A small data file with all kinds of pages: trees of one and two levels, values of many pages, free pages.

import Foundation
import LMDB
import TroveTestSupport

/// A data file as the base of damaged files.
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
            // Each round frees pages of the previous round.
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
}
