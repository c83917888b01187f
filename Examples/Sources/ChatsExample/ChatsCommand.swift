// The command line of the demo.

import ArgumentParser
import ExampleReport
import Trove

/// Saves chats in a store, and shows how they are read, changed and deleted.
@main
struct ChatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chats",
        abstract: "A tour of entities and relations: two chats with their members, messages and attachments.",
        discussion: "Without options the chats are saved in a temporary store, which is gone afterwards.")

    @Option(help: ArgumentHelp("Keep the store here; each run begins with an empty store.", valueName: "path"))
    var store: String?

    func run() throws {
        let store =
            try store.map { try Store(path: $0, records: Tour.records) } ?? Store.temporary(records: Tour.records)
        try Tour.clear(store)
        try Report().show(Tour.sections, on: store)
    }
}
