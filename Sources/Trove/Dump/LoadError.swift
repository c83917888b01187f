// The error of loading text into a store: the line, the field, and what was expected.

import TroveCoding

/// An error of a line of text that was to be loaded into a store. Nothing of the text has been loaded.
public struct LoadError: Error, Hashable, Sendable {
    /// The cause of an error. Later versions can add cases.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Reason: Hashable, Sendable {
        /// The text has no line.
        case emptyText
        /// The line is not the JSON of a record.
        case json(JSONError)
        /// A field is not a value of its layout; `found` is the text in its place, if that is known.
        case value(field: String, expected: String, found: String?)
        /// The row is not a row of the CSV.
        case malformedCSV(String)
        /// The first row of a CSV has a name that is not a property of the type.
        case unknownColumn(String, columns: [String])
        /// The first row of a CSV has a name twice.
        case repeatedColumn(String)
        /// The first row of a CSV lacks a property that cannot be nil.
        case missingColumn(String, columns: [String])
        /// The type has no place in a CSV.
        case noCSV(CSVError)
        /// The line is neither a record nor a description.
        case malformedHeader
        /// The dump was written by a later version of Trove.
        case formatTooNew(Int)
        /// The last line of a dump is missing: the dump was cut.
        case endMissing(records: Int)
        /// The dump has another number of records than its last line says.
        case otherCount(dumped: Int, found: Int)
        /// The line follows the end of a dump, and does not begin another dump.
        case afterEnd
        /// A record precedes all descriptions of types.
        case missingType
        /// Neither the store, its declared types nor the schema has the type.
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
        /// All indexes were to be kept, and only their program can maintain these.
        case indexesNotKept([String])
        /// The record cannot be stored.
        case store(StoreError)
    }

    /// The number of the line, beginning with 1; 0 for an error of the whole text. A
    /// ``Reason/secondLink(_:existing:)`` is one, because the lines contain it together with the links of the store.
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
    public var description: String { place + words }

    /// The line and the type, before the words of the cause; empty if there is neither.
    package var place: String {
        let name = type.map { line > 0 || isAfterLines ? "(\($0))" : $0 }
        let number = line > 0 ? "line \(line)" : isAfterLines ? "after the last line" : nil
        let parts = [number, name].compactMap(\.self)
        return parts.isEmpty ? "" : parts.joined(separator: " ") + ": "
    }

    private var isAfterLines: Bool { if case .secondLink = reason { true } else { false } }

    /// The cause in words, except for the words of a `StoreError`.
    private var words: String {
        switch reason {
        case .emptyText: "the text is empty. Give the lines of a dump, or records."
        case .json(let error): "\(error)."
        case .value(let field, let expected, let found):
            "\(field): expected \(expected)\(found.map { ", not \($0)" } ?? "")."
        case .malformedCSV(let expected): "expected \(expected)."
        case .unknownColumn(let name, let columns):
            "the type has no property “\(name)”. Name columns in the first row: \(columns.joined(separator: ", "))."
        case .repeatedColumn(let name): "the first row has “\(name)” twice. Leave out one of the columns."
        case .missingColumn(let name, let columns):
            "the first row lacks \(name), which cannot be nil. The columns are: \(columns.joined(separator: ", "))."
        case .noCSV(let error): "\(error)"
        case .malformedHeader: "expected a record, or a line of a dump such as [\"type\",{…}]."
        case .formatTooNew(let format):
            "the dump has the form \(format); this version of Trove reads forms up to \(DumpLine.format). Use a later version."
        case .endMissing(let records):
            "the dump is cut: its last line is missing, which counts the records. Write the dump again; to load what is there, add the line [\"end\",\(records)]."
        case .otherCount(let dumped, let found):
            "the dump had \(dumped) records, and \(found) are there. Write the dump again."
        case .afterEnd: "expected no line after the end of the dump, except for the beginning of another dump."
        case .missingType:
            "expected the description of a type. Name the type of the records, or begin with a line of a dump."
        case .unknownType(let name):
            "neither the store nor the schema has the type \(name), and the store was not opened with it. Open the store with it among the records, or give its description in the schema."
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
        case .indexesNotKept(let names):
            "only its program can maintain \(names.joined(separator: ", ")). Load without keeping all indexes: these are then emptied."
        case .store(let error): "\(error)"
        }
    }
}
