// The figures of crash tests, and their work on all cores.

import Foundation
import TroveTestSupport

extension Torture {
    /// Adds a line to the table of figures of `scripts/torture`.
    static func report(_ what: String, _ figure: String) throws {
        guard let path = ProcessInfo.processInfo.environment["TROVE_TORTURE_FIGURES"] else { return }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("\(what)|\(figure)\n".utf8))
        try file.close()
    }
}

/// Runs a closure for each item, on as many threads as there are cores. Returns the results in the order of the items.
func onAllCores<Item: Sendable, Result: Sendable>(
    _ items: [Item], _ body: @escaping @Sendable (Item) throws -> Result
) throws -> [Result] {
    let count = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let threads = (0..<count).map { thread in
        RunningThread {
            try stride(from: thread, to: items.count, by: count).map { index in (index, try body(items[index])) }
        }
    }
    let results = try threads.flatMap { try $0.value() }
    return results.sorted { $0.0 < $1.0 }.map(\.1)
}
