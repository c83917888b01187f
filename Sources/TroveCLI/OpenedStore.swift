// How subcommands open a store: to read, and never to make one.

import ArgumentParser
import Trove

/// The store that a subcommand looks at, which other programs may be using.
struct OpenedStore: ParsableArguments {
    @Argument(help: "The store's file, or the directory that holds it.")
    var file: String

    func open() throws -> Store { try Store(path: file, options: StoreOptions(isReadOnly: true)) }
}
