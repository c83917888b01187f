// The command `trove`.

#if CommandLine
import ArgumentParser
import Foundation
import LMDB
import TroveTerminal

/// The root command of the subcommands.
@main
struct TroveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trove",
        abstract: "Inspect, search, copy, check and repair Trove stores.",
        version: "0.1.0",
        subcommands: [
            Info.self, Search.self, SQLQuery.self, Dump.self, Watch.self, History.self, Top.self, Inspect.self,
            Load.self, Migrations.self, Copy.self, Apply.self, Verify.self, Check.self, Rebuild.self, Salvage.self,
            Upgrade.self,
        ])

    static func main() {
        StandardOutput.reserveStreams()
        let arguments = Array(CommandLine.arguments.dropFirst())
        let isQuiet = arguments.contains("--quiet") || arguments.contains("-q")
        do {
            let end = try run(arguments, isQuiet: isQuiet)
            try StandardOutput.flush()
            exit(withError: end)
        } catch {
            CommandOutput.printError(error, quiet: isQuiet)
            exit(withError: Outcome.failed)
        }
    }

    /// Runs a subcommand. Returns what it ends with; nil for success.
    ///
    /// - Throws: ``OutputError``: then nothing more can be printed.
    private static func run(_ arguments: [String], isQuiet: Bool) throws -> (any Error)? {
        do {
            if let error = unknownSubcommand(arguments) { throw error }
            var command = try parseAsRoot(arguments)
            try command.run()
            return nil
        } catch let error as OutputError {
            throw error
        } catch {
            // Only wrong arguments arrive here with a message: a subcommand has printed its own errors.
            if exitCode(for: error) == .validationFailure, arguments.contains("--json"), !isQuiet {
                try CommandOutput.printJSONError(
                    message(for: error), isDamage: false,
                    onOneLine: ["dump", "history", "search", "sql", "top", "watch"].contains(arguments.first))
            }
            // Help, the version and completions.
            let text = exitCode(for: error).isSuccess ? fullMessage(for: error) : ""
            guard !text.isEmpty else { return error }
            try StandardOutput.write(text + "\n")
            return Outcome.good
        }
    }

    /// Returns an error with a suggestion if the first argument is no subcommand.
    private static func unknownSubcommand(_ arguments: [String]) -> ValidationError? {
        // The argument parser adds the subcommand for help.
        let names = configuration.subcommands.map { $0._commandName } + ["help"]
        guard let name = arguments.first, !name.hasPrefix("-"), !names.contains(name) else { return nil }
        return ValidationError(
            "“\(FileFinding.printable(name))” is not a subcommand.\(NearestName.question(for: name, among: names))")
    }
}
#endif
