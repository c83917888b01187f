// Reads damaged stores for a test. The test starts another process after a file has killed this process.
//
// Each line of the input is `how path`; each line of the output is an `Outcome`.

import Foundation
import Trove

@main
enum DamageWorker {
    static func main() {
        do {
            guard CommandLine.arguments.count == 2 else { throw Unknown(line: "\(CommandLine.arguments)") }
            silenceAssertions()
            let sound = try SampleReader(soundFile: CommandLine.arguments[1])
            say("ready")
            while let line = readLine() { say(try outcome(of: line, sound).rawValue) }
        } catch {
            say("error: \(error)")
            exit(1)
        }
    }

    private struct Unknown: Error {
        var line: String
    }

    /// liblmdb prints each failed assertion, hundreds of times.
    private static func silenceAssertions() {
        let null = unsafe open("/dev/null", O_WRONLY)
        dup2(null, STDERR_FILENO)
        close(null)
    }

    private static func outcome(of line: String, _ sound: SampleReader) throws -> Outcome {
        // An endless loop also ends the process.
        alarm(20)
        defer { alarm(0) }
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, let reading = Reading(rawValue: words[0]) else { throw Unknown(line: line) }
        return sound.outcome(of: reading, words[1])
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

/// A way of reading a file.
package enum Reading: String, Sendable {
    /// Reads all records without a check.
    case plain
    /// Reads all records, and verifies their checksums.
    case checked
    /// Verifies the pages, then reads all records, and verifies their checksums.
    case guarded
    /// Verifies the file without opening it.
    case verified
    /// Salvages the file, and reads the salvaged records.
    case salvaged
    /// Salvages from stray pages as well.
    case searched
}

/// The outcome of reading a file.
package enum Outcome: String, Sendable {
    /// All records, as they were last written; or a file without a finding.
    case right
    /// Only records written at some time, but not all of them, or earlier revisions.
    case incomplete
    /// A record that was never written.
    case wrong
    /// A typed error, or a file found damaged.
    case refused
    /// Another error.
    case untyped
}
