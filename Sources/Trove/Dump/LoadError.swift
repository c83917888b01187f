// The error of loading text into a store: the line, the field, and what was expected.

import TroveCoding

/// An error of a line of text that was to be loaded into a store. Nothing of the text has been loaded.
public struct LoadError: Error, Hashable, Sendable {
    /// The cause of an error. Later versions can add cases.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Reason: Hashable, Sendable {
        /// The line is not the JSON of a record.
        case json(JSONError)
        /// A field is not a value of its layout.
        case value(field: String, expected: String)
        /// The row is not a row of the CSV.
        case malformedCSV(String)
        /// The type has no place in a CSV.
        case noCSV(CSVError)
        /// The line is neither a record nor a description.
        case malformedHeader
        /// The dump was written by a later version of Trove.
        case formatTooNew(Int)
        /// A record precedes all descriptions of types.
        case missingType
        /// Neither the store nor the schema has the type.
        case unknownType(String)
        /// Several types have the name in their modules.
        case ambiguousType(String, candidates: [String])
        /// The type does not have the version.
        case unknownVersion(UInt32)
        /// The layout has a part that only its own code can read, or does not follow the grammar of layouts.
        case unreadableLayout(String)
        /// The store has other layouts of the type than the dump.
        case otherLayouts(stored: String, dumped: String)
        /// The dump has a newer layout of the type than the store.
        case newerLayout(String)
        /// The store has another relation, or the dump does not describe one.
        case otherRelation(stored: String, dumped: String)
        /// The end of a relation to one would have two links.
        case secondLink(StoredKey, existing: StoredKey)
        /// The record cannot be stored.
        case store(StoreError)
    }

    /// The number of the line, beginning with 1; 0 for a ``Reason/secondLink(_:existing:)``, which the lines contain
    /// together with the links of the store.
    public var line: Int
    /// The record type, if it is known.
    public var type: String?
    /// The cause.
    public var reason: Reason

    init(line: Int, type: String? = nil, _ reason: Reason) {
        self.line = line
        self.type = type
        self.reason = reason
    }
}

extension LoadError: CustomStringConvertible {
    /// The line, the type, and the cause in words.
    public var description: String {
        "\(line > 0 ? "line \(line)" : "after the last line")\(type.map { " (\($0))" } ?? ""): \(words)"
    }

    private var words: String {
        switch reason {
        case .json(let error): "\(error)."
        case .value(let field, let expected): "\(field): expected \(expected)."
        case .malformedCSV(let expected): "expected \(expected)."
        case .noCSV(let error): "\(error)"
        case .malformedHeader: "expected a record, or a line of a dump such as [\"type\",{…}]."
        case .formatTooNew(let format):
            "the dump has the form \(format); this version of Trove reads forms up to \(DumpLine.format). Use a later version."
        case .missingType:
            "expected the description of a type. Name the type of the records, or begin with a line of a dump."
        case .unknownType(let name): "neither the store nor the schema has the type \(name)."
        case .ambiguousType(let name, let candidates):
            "several types are named \(name). Name one with its module: \(candidates.joined(separator: ", "))."
        case .unknownVersion(let version): "expected a version of the type, not \(version)."
        case .unreadableLayout(let layout): "only its own program can read the layout \(layout)."
        case .otherLayouts(let stored, let dumped):
            "the store has the layout \(stored), and the dump has \(dumped). Load into a new store."
        case .newerLayout(let layout):
            "the store does not have the newest layout of the dump, \(layout). Open the store with the program that has it, or load into a new store."
        case .otherRelation(let stored, let dumped):
            "the store has the relation \(stored), and the dump has \(dumped). Load into a new store."
        case .secondLink(let link, let existing):
            "the link \(link) would be the second link of a relation to one, beside \(existing)."
        case .store(let error): "\(error)"
        }
    }
}
