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

/// Runs a command line of the shell, where `trove` is the command. Returns its exit code, and what it has printed.
func shell(_ line: String) throws -> (code: Int, output: String, errors: String) {
    let trove = try ChildProcess.locate("trove").path
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "trove() { '\(trove)' \"$@\"; }; \(line)"]
    let directory = try TemporaryDirectory()
    let paths = ["output", "errors"].map(directory.path)
    for path in paths { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: paths[0]))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: paths[1]))
    try process.run()
    process.waitUntilExit()
    let texts = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }
    return (Int(process.terminationStatus), texts[0], texts[1])
}

/// Parses the output of a run with `--json`: a single object.
func jsonObject(_ lines: [String]) throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: Data(lines.joined(separator: "\n").utf8))
    return try #require(json as? [String: Any])
}
#endif
