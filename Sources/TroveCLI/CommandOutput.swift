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
    /// Records have older layouts.
    static let pendingMigration = ExitCode(3)
}

extension StoreError {
    fileprivate var isDamage: Bool {
        switch self {
        case .checksumMismatch, .corrupted, .damaged, .indexDamaged, .truncated: true
        default: false
        }
    }
}

/// What a subcommand prints, and whether.
struct CommandOutput: ParsableArguments {
    @Flag(help: "Print JSON: the report as one object, records as one object a line.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code says all.")
    var quiet = false

    /// Prints lines, unless the output is another. What names in a file hold is not for the terminal to obey.
    func printLines(_ lines: [String]) {
        if !json && !quiet { lines.forEach { print(FileFinding.printable($0)) } }
    }

    /// Prints a record, in whichever form, whose text holds nothing that a terminal would obey.
    func printRecord(_ text: String) {
        if !quiet { print(text) }
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
    ///
    /// - Parameter printsRecords: Whether the output is records, among which an error would be taken for one.
    func run<R>(printsRecords: Bool = false, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch {
            let isDamage = (error as? StoreError)?.isDamage == true
            if !printsRecords {
                try printJSON(["error": "\(error)", "verdict": isDamage ? "damaged" : "failed"])
            }
            if !quiet {
                FileHandle.standardError.write(Data("trove: \(FileFinding.printable("\(error)"))\n".utf8))
            }
            throw isDamage ? Outcome.damaged : Outcome.failed
        }
    }
}
