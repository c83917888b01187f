// Progress, output and errors, shared by all subcommands.

#if CommandLine
import ArgumentParser
import Foundation
import LMDB
import Trove
import TroveTerminal

extension StoreError {
    fileprivate var isDamage: Bool {
        switch self {
        case .checksumMismatch, .corrupted, .damaged, .indexDamaged, .layoutDamaged, .truncated, .verificationFailed:
            true
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
    ///
    /// - Parameter verdict: The style of the last line.
    func printLines(_ lines: [String], verdict: TerminalStyle? = nil) {
        guard !json && !quiet else { return }
        for (index, line) in lines.enumerated() {
            let line = FileFinding.printable(line)
            let isVerdict = index == lines.count - 1
            print(isVerdict ? verdict?.applied(to: line, on: .output) ?? line : line)
        }
    }

    /// Prints a record. Its text must not contain control characters.
    func printRecord(_ text: String) {
        if !quiet { print(text) }
    }

    /// Prints a line above records. Its text must not contain control characters.
    func printHeading(_ text: String) { printRecord(TerminalStyle.heading.applied(to: text, on: .output)) }

    /// Prints a row of a CSV, which ends with CR LF. Texts with control characters are in it as they are, except on a
    /// terminal, which would execute them.
    func printRow(_ text: String) {
        if !quiet { print(isatty(STDOUT_FILENO) == 1 ? FileFinding.printable(text) : text, terminator: "\r\n") }
    }

    /// Prints a value as JSON if `--json` is set.
    func printJSON(_ value: some Encodable) throws {
        guard json, !quiet else { return }
        print(try Self.json(value))
    }

    /// Prints a value as a JSON object on a line.
    func printJSONLine(_ value: some Encodable) throws { printRecord(try Self.json(value, onOneLine: true)) }

    /// Prints a line on standard error, unless the output is nothing.
    func printNote(_ text: String) {
        if !quiet { FileHandle.standardError.write(Data("\(FileFinding.printable(text))\n".utf8)) }
    }

    /// Prints an error as a JSON object.
    ///
    /// - Parameter onOneLine: Whether the object has a line, as records have.
    static func printError(_ message: String, isDamage: Bool, onOneLine: Bool) {
        let object = ["error": message, "verdict": isDamage ? "damaged" : "failed"]
        if let text = try? json(object, onOneLine: onOneLine) { print(text) }
    }

    private static func json(_ value: some Encodable, onOneLine: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !onOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
        // The encoder escapes only ASCII control characters. Its own line ends stay.
        let scalars = String(decoding: try encoder.encode(value), as: UTF8.self).unicodeScalars
        return scalars.map { $0.isControlOrLineEnd && $0 != "\n" ? $0.jsonEscape : String($0) }.joined()
    }

    /// Runs a closure with a progress bar. On an error, prints it and exits with its code.
    func run<R>(_ label: String, _ body: (_ progress: @escaping (Int, Int) -> Void) throws -> R) throws -> R {
        try run { try withProgress(label, body) }
    }

    /// Runs a closure with a progress bar, which appears after a time.
    func withProgress<R>(
        _ label: String, after delay: Duration = .zero, _ body: (_ progress: @escaping (Int, Int) -> Void) throws -> R
    ) throws -> R {
        var bar = ProgressBar(label: label, unit: "pages", after: delay)
        let showsProgress = !quiet
        defer { bar.clear() }
        return try body { done, total in
            if showsProgress { bar.advance(to: done, of: total) }
        }
    }

    /// Runs a closure. On an error, prints it and exits with its code.
    ///
    /// - Parameter printsRecords: Whether the output consists of records, each on a line.
    func run<R>(printsRecords: Bool = false, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch {
            let isDamage = (error as? StoreError)?.isDamage == true
            if !quiet {
                if json { Self.printError("\(error)", isDamage: isDamage, onOneLine: printsRecords) }
                let prefix = TerminalStyle.bad.applied(to: "trove:", on: .error)
                FileHandle.standardError.write(Data("\(prefix) \(FileFinding.printable("\(error)"))\n".utf8))
            }
            throw isDamage ? Outcome.damaged : Outcome.failed
        }
    }
}
#endif
