// Commits of the history as markup.

#if Inspector
import Foundation
import Trove
import TroveCoding
import TroveTerminal

/// Commits of the history as markup.
enum CommitView {
    /// The maximum number of types that are named in a row.
    private static let typeLimit = 20

    /// Returns rows of commits as a table.
    ///
    /// - Parameter headings: The headings of the columns after those of ``cells(_:)``.
    static func table(_ headings: [String], _ rows: [HTML]) -> HTML {
        Tag.div(.class("scrolls")) {
            Tag.table {
                Tag.thead {
                    Tag.tr {
                        for heading in ["Commit", "Time", "Author"] + headings { Tag.th(.scope("col")) { heading } }
                    }
                }
                Tag.tbody { rows }
            }
        }
    }

    /// Returns the first cells of a row: the number, the time and the author.
    @HTMLBuilder
    static func cells(_ commit: HistoryCommit) -> HTML {
        Tag.th(.scope("row")) {
            Tag.a(.href(CommitPage.address(commit.token))) { Int(clamping: commit.sequence).grouped }
        }
        Tag.td { time(commit) }
        Tag.td { author(commit) }
    }

    /// Returns the row of a commit that cannot be read.
    ///
    /// - Throws: An error of the snapshot.
    static func row(_ sequence: UInt64, _ error: any Error, columns: Int) throws -> HTML {
        if error.endsPage { throw error }
        return Tag.tr {
            Tag.th(.scope("row")) { Int(clamping: sequence).grouped }
            Tag.td(.columns(columns)) { Tag.span(.class("error")) { Tag.bdi { "\(error)" } } }
        }
    }

    /// Returns the time of a commit in whole seconds. It need not be within the years of ISO 8601.
    static func time(_ commit: HistoryCommit) -> HTML {
        let seconds = commit.date.timeIntervalSinceReferenceDate.rounded(.down)
        return ValueView.short(.date(Date(timeIntervalSinceReferenceDate: seconds)))
    }

    /// Returns the author of a commit.
    static func author(_ commit: HistoryCommit) -> HTML { ValueView.short(commit.author.map { .string($0) } ?? .null) }

    /// Returns the number of changes of each type, by their kinds.
    static func counts(_ commit: HistoryCommit) -> HTML {
        let all = commit.storedCounts
        return html {
            if all.isEmpty {
                Tag.span(.class("empty")) { "none" }
            } else {
                Tag.ul { all.prefix(typeLimit).map { counts in Tag.li { item(counts) } } }
            }
            Budget.hint(min(typeLimit, all.count), of: all.count, "types", limit: typeLimit)
            if commit.isCut { Tag.p(.class("hint")) { "and further changes, which are not counted" } }
        }
    }

    @HTMLBuilder
    private static func item(_ counts: StoredHistoryCounts) -> HTML {
        type(counts.type, isStored: counts.isStored)
        let numbers = [(counts.inserted, "inserted"), (counts.updated, "updated"), (counts.deleted, "deleted")]
        let words = numbers.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        ": " + (words + (counts.isOfAnyRecord ? ["any record"] : [])).joined(separator: ", ")
    }

    /// Returns the name of a type, with a link if the store has the type.
    @HTMLBuilder
    static func type(_ name: String, isStored: Bool) -> HTML {
        if isStored {
            Tag.a(.href(TypePage.address(name))) { Tag.bdi { name } }
        } else {
            Tag.bdi { name }
        }
    }

    /// Returns the kind of a change in words.
    static func kind(_ change: StoredHistoryChange) -> String {
        change.key == nil ? "any record" : change.kind.rawValue
    }
}
#endif
