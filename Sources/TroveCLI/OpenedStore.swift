// The store argument of subcommands, verified, opened read-only except for `rebuild`, and never created.

#if CommandLine
import ArgumentParser
import Trove
import TroveTerminal

/// A store argument. Other programs may have the store open.
struct OpenedStore: ParsableArguments {
    @Argument(help: "The store's file, or the directory that contains it.", completion: .file())
    var file: String

    @Flag(help: "Do not verify the pages of the file first. Damage in them can then end the command with a signal.")
    var trust = false

    /// Opens the store read-only, after verifying its pages.
    ///
    /// - Parameter verifiesRecords: Whether the checksum of each record is verified when it is read.
    func open(_ output: CommandOutput, verifiesRecords: Bool = false) throws -> Store {
        var options = StoreOptions(isReadOnly: true)
        options.verifiesChecksums = verifiesRecords
        guard !trust else { return try Store(path: file, options: options) }
        return try output.withProgress("verifying", after: .seconds(1)) { progress in
            try Store(path: file, options: options, verifying: progress)
        }
    }

    /// Opens the store for writing, after a read-only open has verified it, and that it is a store.
    ///
    /// - Parameter verifiesRecords: Whether the checksum of each record is verified when it is read.
    func openForWriting(_ output: CommandOutput, verifiesRecords: Bool = false) throws -> Store {
        do { _ = try open(output).identifier }
        var options = StoreOptions()
        options.conversion = .never
        options.verifiesChecksums = verifiesRecords
        return try Store(path: file, options: options)
    }
}

extension ReadContext {
    private struct NoSuchType: Error, CustomStringConvertible {
        var description: String
    }

    /// Returns the type with this name, with or without its module.
    func storedType(named name: String) throws -> StoredType {
        let types = try storedTypes()
        let matching = types.filter { $0.name == name }
        let bare = types.filter { $0.name.split(separator: ".", maxSplits: 1).last.map(String.init) == name }
        if let only = matching.first ?? (bare.count == 1 ? bare.first : nil) { return only }
        let names = types.map(\.name).joined(separator: ", ")
        let bareNames = types.map { $0.name.split(separator: ".", maxSplits: 1).last.map(String.init) ?? $0.name }
        let question = bare.isEmpty ? NearestName.question(for: name, among: types.map(\.name) + bareNames) : ""
        let reason = bare.count > 1 ? "several types have that name" : "no type has that name"
        throw NoSuchType(
            description: "\(name): \(reason); the store has \(names.isEmpty ? "no types" : names).\(question)")
    }
}
#endif
