// `trove info`

#if CommandLine
import ArgumentParser
import Foundation
import Trove
import TroveTerminal

/// Lists the record types, relations, indexes and readers of a store.
struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the record types, relations, indexes and readers of a store.",
        discussion: "Exit codes: 0 printed, 1 the store is damaged, 2 it could not be read, 64 wrong arguments.")

    @OptionGroup var store: OpenedStore
    @OptionGroup var output: CommandOutput

    func run() throws {
        let report = try output.run {
            let store = try store.open(output)
            var info = try store.info
            // This process is a reader too, and is not listed.
            info.readers.removeAll { $0.process == Int(ProcessInfo.processInfo.processIdentifier) }
            return Report(store: info, types: try store.read { try $0.storedTypes().map(Report.Kind.init) })
        }
        try output.printJSON(report)
        try output.printLines(lines(report))
    }

    private struct Report: Encodable {
        struct Version: Encodable {
            var version: UInt32
            var layout: String
        }

        struct Index: Encodable {
            var name: String
            var definition: String
            var isReady: Bool
            /// The number of records whose entries the index has; nil if the index is ready.
            var done: Int?
            var entries: Int
            var size: Int
            /// Whether the entries are groups of records with their totals; nil for other kinds than totals.
            var hasGroups: Bool?
            /// Nil for other kinds than full text.
            var fullText: StoredFullText?

            init(_ index: StoredIndex) {
                hasGroups = index.hasGroups ? true : nil
                (name, definition, isReady) = (index.name, index.definition, index.isReady)
                (entries, size) = (index.count, index.size)
                done = index.isReady ? nil : index.done
                fullText = index.fullText
            }
        }

        struct Kind: Encodable {
            var name: String
            var keyPrefix: UInt32
            /// The relation whose links are the records; nil for a type with records of its own.
            var links: StoredLinks?
            var keyLayout: String
            /// In the order in which they became the current version.
            var versions: [Version]
            var records: Int
            var size: Int
            var indexes: [Index]
            /// Nil for a type without full-text indexes.
            var recordNumbers: StoredFullText.Table?

            init(_ type: StoredType) {
                (name, keyPrefix, keyLayout) = (type.name, type.keyPrefix, type.keyLayout)
                (records, size, links) = (type.count, type.size, type.links)
                versions = type.versions.compactMap { version in
                    type.layouts[version].map { Version(version: version, layout: $0) }
                }
                indexes = type.indexes.map(Index.init)
                recordNumbers = type.recordNumbers
            }
        }

        var store: StoreInfo
        var types: [Kind]
    }

    private func words(_ group: StoreFeature.Group) -> String {
        switch group {
        case .neededToRead: "needed to read"
        case .neededToWrite: "needed to write"
        case .mayBeIgnored: "may be ignored"
        }
    }

    private func lines(_ type: Report.Kind) -> [String] {
        var lines = [
            "\(type.name): \(counted(type.records, type.links.noun)), \(type.size.grouped) bytes",
            "  keyPrefix: \(type.keyPrefix)",
        ]
        if let links = type.links { lines.append("  relation: \(links)") }
        lines += type.versions.map { "  version \($0.version): \($0.layout)" }
        lines += type.indexes.flatMap { self.lines($0, of: type.name) }
        if let numbers = type.recordNumbers {
            lines.append("\(indexName(numbers.name, of: type.name)): \(numbers.size.grouped) bytes")
        }
        return lines
    }

    private func lines(_ index: Report.Index, of type: String) -> [String] {
        let state = index.done.map { ", not ready: built from \(counted($0, "record"))" } ?? ""
        let size = "\(index.size.grouped) bytes\(state)"
        let name = indexName(index.name, of: type)
        guard let text = index.fullText else {
            let entries =
                index.hasGroups == true ? counted(index.entries, "group") : counted(index.entries, "entry", "entries")
            return ["\(name): \(entries), \(size)"]
        }
        let tables = text.tables.map { "\($0.name) \($0.size.grouped)" }.joined(separator: ", ")
        return [
            "\(name): \(counted(index.entries, "record")), \(counted(text.words, "word")), \(size)",
            "  analyzer: \(text.analyzer)\(text.keepsOrder ? "" : ", without phrases")",
            "  bytes: \(tables)",
        ]
    }

    private func lines(_ report: Report) -> [String] {
        let store = report.store
        var lines = report.types.flatMap(lines)
        lines += store.readers.map { reader in
            "process \(reader.process) "
                + (reader.commitsBehind.map { "reads, \(counted($0, "commit")) behind" } ?? "has no open read")
        }
        if !store.features.isEmpty {
            let features = store.features.map { "\($0), \(words($0.group))" }
            lines.append("features of the format: \(features.joined(separator: "; "))")
        }
        let sizes = "\(store.usedSize.grouped) bytes used, map \(store.mapSize.grouped), liblmdb \(store.library)"
        return lines + [
            "\(store.path): store \(store.identifier), \(counted(Int(clamping: store.commitSequence), "commit")), \(sizes)"
        ]
    }
}
#endif
