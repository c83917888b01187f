// How subcommands open a store: never to make one, and nearly always to read.

import ArgumentParser
import Trove

/// The store that a subcommand looks at, which other programs may be using.
struct OpenedStore: ParsableArguments {
    @Argument(help: "The store's file, or the directory that holds it.")
    var file: String

    func open() throws -> Store { try Store(path: file, options: StoreOptions(isReadOnly: true)) }

    /// Opens it to be written to, when it was found to be a store.
    func openForWriting() throws -> Store {
        do { _ = try open().identifier }
        return try Store(path: file)
    }
}

extension ReadContext {
    private struct NoSuchType: Error, CustomStringConvertible {
        var description: String
    }

    /// The type of a name, with or without its module.
    func storedType(named name: String) throws -> StoredType {
        let types = try storedTypes()
        let matching = types.filter { $0.name == name }
        let bare = types.filter { $0.name.split(separator: ".", maxSplits: 1).last.map(String.init) == name }
        if let only = matching.first ?? (bare.count == 1 ? bare.first : nil) { return only }
        let names = types.map(\.name).joined(separator: ", ")
        let reason = bare.count > 1 ? "several types have that name" : "no type has that name"
        throw NoSuchType(description: "\(name): \(reason); there are \(names.isEmpty ? "none" : names)")
    }
}
