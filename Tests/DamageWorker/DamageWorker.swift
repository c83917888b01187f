// Reads damaged stores for a test, which starts another of its kind when a file has killed this one.
//
// Each line of the input is `how path`; each line of the output says what came of it, in the words of `Outcome`.

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

    /// liblmdb tells what it trips over, hundreds of times.
    private static func silenceAssertions() {
        let null = unsafe open("/dev/null", O_WRONLY)
        dup2(null, STDERR_FILENO)
        close(null)
    }

    private static func outcome(of line: String, _ sound: SampleReader) throws -> Outcome {
        // A file that is followed for ever ends the process too.
        alarm(20)
        defer { alarm(0) }
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, let reading = Reading(rawValue: words[0]) else { throw Unknown(line: line) }
        return sound.outcome(of: reading, words[1])
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

/// How a file is looked at.
package enum Reading: String, Sendable {
    /// All of its records are read, as they are.
    case plain
    /// All of its records are read, and their checksums verified.
    case checked
    /// It is verified, and not opened.
    case verified
    /// It is salvaged, and what was saved is read.
    case salvaged
    /// The same, and pages are searched that no tree leads to.
    case searched
}

/// What came of a look at a file.
package enum Outcome: String, Sendable {
    /// All records, as they were written last; a file without a finding.
    case right
    /// Only records that were once written, but not all, or earlier ones.
    case incomplete
    /// A record that was never written.
    case wrong
    /// A typed error; a file that was found damaged.
    case refused
    /// Another error.
    case untyped
}
