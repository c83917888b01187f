// Commits as pages show them.

#if Inspector
import Foundation
import LMDB
import Trove
import TroveTerminal

/// A commit, or several that were joined, as pages show them.
struct LiveCommit: Sendable {
    /// A change of a record, or of several at once.
    struct Change: Sendable {
        /// The name of the type; nil if any type may have changed.
        let type: String?
        /// The key in hexadecimal digits; nil if any record may have changed.
        let key: String?
        /// The row of the page of commits.
        let row: HTML
    }

    let commits: ClosedRange<UInt64>
    /// The number of commits.
    var count: Int { Int(clamping: commits.upperBound - commits.lowerBound).addingClamped(1) }
    let changes: [Change]

    init(_ commits: StoredChanges) {
        self.commits = commits.commits
        let number = Self.text(commits.commits)
        var changes = commits.changes.map { change in
            Change(
                type: change.type, key: change.key.map { Hexadecimal.text($0.bytes) },
                row: Self.row(number, change))
        }
        if commits.omitted > 0 {
            changes.append(
                Change(type: nil, key: nil, row: Self.row(number, "more", HTML(), "\(commits.omitted.grouped) more")))
        }
        self.changes = changes
    }

    /// The number of the commit, or the numbers of several.
    var number: String { Self.text(commits) }

    /// The names of the types that have changed, sorted.
    var types: [String] { Set(changes.compactMap(\.type)).sorted() }

    /// Whether any type may have changed.
    var isOfAnyType: Bool { changes.contains { $0.type == nil } }

    private static func text(_ commits: ClosedRange<UInt64>) -> String {
        let last = Int(clamping: commits.upperBound).grouped
        guard commits.lowerBound < commits.upperBound else { return last }
        return Int(clamping: commits.lowerBound).grouped + " to " + last
    }

    private static func row(_ number: String, _ change: StoredChange) -> HTML {
        let name: HTML =
            if let key = change.key {
                RecordLink.html(key)
            } else if let type = change.type {
                Tag.a(.href(TypePage.address(type))) { Tag.bdi { type } }
            } else {
                HTML(text: "any type")
            }
        return switch change.event {
        case .saved(let record): row(number, "saved", name, record.json.cut(ValueView.cellLimit).text)
        case .removed: row(number, "removed", name, "")
        case .savedAndRemoved: row(number, "saved", name, "")
        case .unreadable(let error): row(number, "saved, damaged", name, "\(error)")
        case .any: row(number, "any record", name, "")
        }
    }

    private static func row(_ number: String, _ event: String, _ name: HTML, _ text: String) -> HTML {
        Tag.tr {
            Tag.td(.class("number")) { number }
            Tag.td { event }
            Tag.th(.scope("row")) { name }
            Tag.td { Tag.span(.class("value")) { Tag.bdi { text } } }
        }
    }

    // MARK: Events

    /// Returns the commit as an event of a stream, in JSON on a single line; nil without a change of a type.
    ///
    /// - Parameters:
    ///   - type: The name of the only type; nil for all types.
    ///   - dropped: The number of commits before this one that the stream has lost.
    func event(of type: String?, dropped: Int = 0) -> String? {
        var changes = changes.filter { type == nil || $0.type == nil || $0.type == type }
        if dropped > 0 {
            let row = Self.row("", "left out", HTML(), "\(counted(dropped, "commit")): the browser was too slow")
            changes.append(Change(type: nil, key: nil, row: row))
        }
        guard !changes.isEmpty else { return nil }
        let event = Event(
            commit: commits.upperBound,
            changes: changes.map { Event.Change(type: $0.type, key: $0.key, row: $0.row.markup) })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Numbers and texts can always be encoded.
        guard let data = try? encoder.encode(event) else { return nil }
        return "data: " + String(decoding: data, as: UTF8.self) + "\n\n"
    }

    private struct Event: Encodable {
        struct Change: Encodable {
            let type: String?
            let key: String?
            let row: String
        }

        let commit: UInt64
        let changes: [Change]
    }
}
#endif
