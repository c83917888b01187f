// The command as a user runs it.

#if CommandLine
import Foundation
import Testing
import TroveTestSupport

/// Runs the command. Returns its exit code and the lines of its output.
func trove(_ arguments: String...) throws -> (code: Int, lines: [String]) { try trove(arguments) }

func trove(_ arguments: [String]) throws -> (code: Int, lines: [String]) {
    let process = try ChildProcess(arguments, executable: "trove")
    var lines: [String] = []
    while let line = process.readLine() { lines.append(line) }
    return (process.wait(), lines)
}

/// Parses the output of a run with `--json`: a single object.
func jsonObject(_ lines: [String]) throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: Data(lines.joined(separator: "\n").utf8))
    return try #require(json as? [String: Any])
}
#endif
