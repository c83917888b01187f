// The command `trove inspect`, as a user starts it.

import Foundation
import TroveTestSupport

/// A running `trove inspect`. It ends with its last reference.
final class InspectorProcess {
    private let process: ChildProcess
    /// The address that the command has printed, with its token.
    let address: String

    /// Starts the inspector, and waits for its address.
    ///
    /// - Throws: ``BrowserError`` if the inspector ends before.
    init(_ path: String, _ arguments: String...) throws {
        process = try ChildProcess(["inspect", path] + arguments, executable: "trove")
        var lines: [String] = []
        while let line = process.readLine() {
            if let found = line.firstMatch(of: #/http://127\.0\.0\.1:\d+/\S*/#) {
                address = String(found.0)
                return
            }
            lines.append(line)
        }
        throw BrowserError("trove inspect has printed no address: \(lines)")
    }

    deinit { process.kill() }
}
