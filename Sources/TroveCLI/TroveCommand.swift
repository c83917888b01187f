// The command `trove`.

import ArgumentParser

/// The root command of the subcommands.
@main
struct TroveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trove",
        abstract: "Inspect, copy, check and repair Trove stores.",
        subcommands: [
            Info.self, Dump.self, Load.self, Migrations.self, Copy.self, Verify.self, Check.self, Rebuild.self,
            Salvage.self,
        ])
}
