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
            Info.self, Search.self, Dump.self, Watch.self, Load.self, Migrations.self, Copy.self, Verify.self,
            Check.self,
            Rebuild.self, Salvage.self,
        ])

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if let error = unknownSubcommand(arguments) { throw error }
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch {
            // Only wrong arguments arrive here with a message: a subcommand has printed its own errors.
            let isQuiet = arguments.contains("--quiet") || arguments.contains("-q")
            if exitCode(for: error) == .validationFailure, arguments.contains("--json"), !isQuiet {
                CommandOutput.printError(
                    message(for: error), isDamage: false,
                    onOneLine: ["dump", "search", "watch"].contains(arguments.first))
            }
            exit(withError: error)
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
