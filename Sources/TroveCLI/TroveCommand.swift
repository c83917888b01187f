// The command `trove`.

import ArgumentParser

/// Looks after the files of stores.
@main
struct TroveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trove",
        abstract: "Looks after the files of Trove's stores.",
        subcommands: [
            Info.self, Dump.self, Migrations.self, Copy.self, Verify.self, Check.self, Rebuild.self, Salvage.self,
        ])
}
