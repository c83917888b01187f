// The exit codes of the command.

#if CommandLine
import ArgumentParser

/// The exit codes of subcommands, in addition to the codes of the argument parser.
enum Outcome {
    /// No problem was found.
    static let good = ExitCode(0)
    /// Something is damaged or lost.
    static let damaged = ExitCode(1)
    /// The subcommand failed.
    static let failed = ExitCode(2)
    /// Records have older layouts.
    static let pendingMigration = ExitCode(3)
}
#endif
