// Progress, output and errors, shared by all subcommands.

#if CommandLine
import ArgumentParser
import Foundation
import LMDB
import Trove
import TroveSQL
import TroveTerminal

extension Error {
    /// Whether the error is of a damaged store.
    fileprivate var isDamage: Bool {
        switch self {
        case let error as StoreError: error.isOfDamage
        case let error as SQLError: error.cause?.isOfDamage ?? false
        case let error as SQLShell.LineError: error.reason.isDamage
        case let error as LoadError: if case .store(let reason) = error.reason { reason.isOfDamage } else { false }
        default: false
        }
    }
}

extension StoreError {
    fileprivate var isOfDamage: Bool {
        switch self {
        case .record(.checksumMismatch), .record(.corrupted), .record(.indexDamaged), .schema(.layoutDamaged),
            .file(.damaged), .file(.truncated), .file(.verificationFailed):
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
    ///
    /// - Throws: ``OutputError``, as every function that prints on standard output.
    func printLines(_ lines: [String], verdict: TerminalStyle? = nil) throws {
        guard !json && !quiet else { return }
        for (index, line) in lines.enumerated() {
            let line = FileFinding.printable(line)
            let isVerdict = index == lines.count - 1
            try StandardOutput.write((isVerdict ? verdict?.applied(to: line, on: .output) ?? line : line) + "\n")
        }
    }

    /// Prints a record. Its text must not contain control characters.
    func printRecord(_ text: String) throws {
        if !quiet { try StandardOutput.write(text + "\n") }
    }

    /// Prints a line above records. Its text must not contain control characters.
    func printHeading(_ text: String) throws { try printRecord(TerminalStyle.heading.applied(to: text, on: .output)) }

    /// Prints a row of a CSV, which ends with CR LF. Texts with control characters are in it as they are, except on a
    /// terminal, which would execute them.
    func printRow(_ text: String) throws {
        guard !quiet else { return }
        try StandardOutput.write((isatty(STDOUT_FILENO) == 1 ? FileFinding.printable(text) : text) + "\r\n")
    }

    /// Prints a value as JSON if `--json` is set.
    func printJSON(_ value: some Encodable) throws {
        guard json, !quiet else { return }
        try StandardOutput.write(try Self.json(value) + "\n")
    }

    /// Prints a value as a JSON object on a line.
    func printJSONLine(_ value: some Encodable) throws { try printRecord(try Self.json(value, onOneLine: true)) }

    /// Prints a line on standard error, unless the output is nothing. What was printed before comes first.
    func printNote(_ text: String) throws {
        guard !quiet else { return }
        try StandardOutput.flush()
        Self.printError(FileFinding.printable(text))
    }

    /// Prints an error as a JSON object.
    ///
    /// - Parameter onOneLine: Whether the object has a line, as records have.
    static func printJSONError(_ message: String, isDamage: Bool, onOneLine: Bool) throws {
        let object = ["error": message, "verdict": isDamage ? "damaged" : "failed"]
        try StandardOutput.write(try json(object, onOneLine: onOneLine) + "\n")
    }

    /// Prints a line on standard error.
    static func printError(_ line: String) {
        do {
            try FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
        } catch {
            // There is no other place for it. The exit code gives the result.
        }
    }

    /// Prints the beginning of a line on standard error.
    static func printPrompt(_ text: String) {
        do {
            try FileHandle.standardError.write(contentsOf: Data(text.utf8))
        } catch {
            // As for errors.
        }
    }

    /// Prints an error on standard error, unless the output is nothing.
    static func printError(_ error: any Error, quiet: Bool) {
        guard !quiet else { return }
        let prefix = TerminalStyle.bad.applied(to: "trove:", on: .error)
        var lines = [error.inCommandWords]
        // The lines of an error of SQL show the statement, with a mark below the place.
        if error is SQLError || error is SQLShell.LineError { lines = lines[0].components(separatedBy: "\n") }
        printError("\(prefix) " + lines.map(FileFinding.printable).joined(separator: "\n"))
    }

    /// Returns a text as JSON.
    static func json(_ text: String) throws -> String { try json(text, onOneLine: true) }

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
        _ label: String, unit: String = "pages", after delay: Duration = .zero,
        _ body: (_ progress: @escaping (Int, Int) -> Void) throws -> R
    ) throws -> R {
        var bar = ProgressBar(label: label, unit: unit, after: delay)
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
        } catch let error as OutputError {
            throw error
        } catch {
            let isDamage = error.isDamage
            if json, !quiet {
                try Self.printJSONError(error.inCommandWords, isDamage: isDamage, onOneLine: printsRecords)
            }
            try StandardOutput.flush()
            Self.printError(error, quiet: quiet)
            throw isDamage ? Outcome.damaged : Outcome.failed
        }
    }
}
#endif
