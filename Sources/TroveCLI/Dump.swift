// `trove dump`

import ArgumentParser
import Foundation
import Trove

/// Prints the records of a type.
struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print records of a type, one JSON object a line.",
        discussion: """
            Each record is printed by the layout with which it was written; the Swift type is not needed. A bound names the \
            first components of a key, each by an option of its own: --from JFK --from 2013-01-01T00:00:00Z.

            Exit codes: 0 printed, 1 a record is damaged, 2 the store could not be read, has no such type, or a field that \
            its own type alone can read, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The type's name, with or without its module.")
    var type: String

    @Option(help: "The most records to print.")
    var limit: Int?

    @Option(name: .long, parsing: .unconditionalSingleValue, help: "The first key to print, by its next component.")
    var from: [String] = []

    @Option(name: .long, parsing: .unconditionalSingleValue, help: "The key to stop before, by its next component.")
    var to: [String] = []

    @Flag(help: "Begin with the greatest key.")
    var reverse = false

    func run() throws {
        try Outcome.ofErrors {
            try store.open().read { context in
                let type = try chosen(from: context.storedTypes())
                let range = try StoredKeyRange(of: type, from: from, upTo: to, isDescending: reverse)
                var left = limit ?? .max
                guard left > 0 else { return }
                try context.forEachStoredRecord(of: type, in: range) { record in
                    print(record.json)
                    left -= 1
                    return left > 0
                }
            }
        }
    }

    private struct NoSuchType: Error, CustomStringConvertible {
        var description: String
    }

    private func chosen(from types: [StoredType]) throws -> StoredType {
        let matching = types.filter { $0.name == type }
        let bare = types.filter { $0.name.split(separator: ".", maxSplits: 1).last.map(String.init) == type }
        if let only = matching.first ?? (bare.count == 1 ? bare.first : nil) { return only }
        let names = types.map(\.name).joined(separator: ", ")
        let reason = bare.count > 1 ? "several types have that name" : "no type has that name"
        throw NoSuchType(description: "\(type): \(reason); there are \(names.isEmpty ? "none" : names)")
    }
}
