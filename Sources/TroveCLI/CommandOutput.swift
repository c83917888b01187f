// What all subcommands share: their exit codes, progress, and the two forms of output.

import ArgumentParser
import Foundation
import LMDB
import Trove
import TroveTerminal

/// The codes with which subcommands end, beside those of the argument parser.
enum Outcome {
    /// All is as it should be.
    static let good = ExitCode(0)
    /// Something is damaged or lost.
    static let damaged = ExitCode(1)
    /// Nothing could be said or done.
    static let failed = ExitCode(2)

    /// Runs something; prints its error, and ends with the code for that.
    static func ofErrors(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            printError(error)
            throw (error as? StoreError)?.isDamage == true ? damaged : failed
        }
    }

    static func printError(_ error: any Error) {
        FileHandle.standardError.write(Data("trove: \(FileFinding.printable("\(error)"))\n".utf8))
    }
}

extension StoreError {
    fileprivate var isDamage: Bool {
        switch self {
        case .checksumMismatch, .corrupted, .damaged: true
        default: false
        }
    }
}

/// What a subcommand prints, and whether.
struct CommandOutput: ParsableArguments {
    @Flag(help: "Print the report as JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code says all.")
    var quiet = false

    /// Prints lines, unless the output is another. What names in a file hold is not for the terminal to obey.
    func printLines(_ lines: [String]) {
        if !json && !quiet { lines.forEach { print(FileFinding.printable($0)) } }
    }

    /// Prints a value as JSON, if that is asked for.
    func printJSON(_ value: some Encodable) throws {
        guard json, !quiet else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // The encoder escapes the control characters of ASCII alone; its own line ends stay.
        let scalars = String(decoding: try encoder.encode(value), as: UTF8.self).unicodeScalars
        print(scalars.map { $0.isControlOrLineEnd && $0 != "\n" ? $0.jsonEscape : String($0) }.joined())
    }

    /// Runs something with a progress bar; prints its error, and ends with the code for that.
    func run<R>(_ label: String, _ body: (_ progress: @escaping (Int, Int) -> Void) throws -> R) throws -> R {
        var bar = ProgressBar(label: label, unit: "pages")
        let showsProgress = !quiet
        defer { bar.clear() }
        return try run {
            try body { done, total in
                if showsProgress { bar.advance(to: done, of: total) }
            }
        }
    }

    /// Runs something; prints its error, and ends with the code for that.
    func run<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch {
            try printJSON(["error": "\(error)", "verdict": "failed"])
            if !quiet { Outcome.printError(error) }
            throw Outcome.failed
        }
    }
}
