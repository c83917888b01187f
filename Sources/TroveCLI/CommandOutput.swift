// Progress, output and errors, shared by all subcommands.

import ArgumentParser
import Foundation
import LMDB
import Trove
import TroveTerminal

extension StoreError {
    fileprivate var isDamage: Bool {
        switch self {
        case .checksumMismatch, .corrupted, .damaged, .indexDamaged, .layoutDamaged, .truncated: true
        default: false
        }
    }
}

/// The output of a subcommand: lines, JSON, or nothing.
struct CommandOutput: ParsableArguments {
    @Flag(help: "Print JSON: the report as an object, records as an object per line.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print nothing; only the exit code gives the result.")
    var quiet = false

    /// Prints lines, unless the output is JSON or nothing. Control characters in names from a file are escaped, so that
    /// the terminal does not execute them.
    func printLines(_ lines: [String]) {
        if !json && !quiet { lines.forEach { print(FileFinding.printable($0)) } }
    }

    /// Prints a record. Its text must not contain control characters.
    func printRecord(_ text: String) {
        if !quiet { print(text) }
    }

    /// Prints a row of a CSV, which ends with CR LF. Texts with control characters are in it as they are, except on a
    /// terminal, which would execute them.
    func printRow(_ text: String) {
        if !quiet { print(isatty(STDOUT_FILENO) == 1 ? FileFinding.printable(text) : text, terminator: "\r\n") }
    }

    /// Prints a value as JSON if `--json` is set.
    func printJSON(_ value: some Encodable) throws {
        guard json, !quiet else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // The encoder escapes only ASCII control characters. Its own line ends stay.
        let scalars = String(decoding: try encoder.encode(value), as: UTF8.self).unicodeScalars
        print(scalars.map { $0.isControlOrLineEnd && $0 != "\n" ? $0.jsonEscape : String($0) }.joined())
    }

    /// Runs a closure with a progress bar. On an error, prints it and exits with its code.
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

    /// Runs a closure. On an error, prints it and exits with its code.
    ///
    /// - Parameter printsRecords: Whether the output consists of records: then the error is not printed among them.
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
