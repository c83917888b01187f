// A statement of the SQL page that writes: its confirmation, and its run.

#if Inspector
import LMDB
import Trove
import TroveSQL
import TroveTerminal

/// A statement of the SQL page that writes.
struct WrittenStatement: Sendable {
    let text: String
    /// The names of the types that it writes.
    private let types: [String]
    private let plan: String

    /// The maximum length of a statement in a form, in bytes. The end of a line counts twice: a form sends two
    /// characters for it.
    static let limit = TypedValue.limit
    private static let planLimit = 20_000

    /// Prepares a statement. Returns nil for a statement that only reads.
    ///
    /// - Throws: `SQLError` for a wrong statement, and for a type that cannot be written.
    init?(_ text: String, in site: Site, _ snapshot: Snapshot) throws {
        let sql = SQL(raw: text)
        (types, plan) = try site.withWritingStatements {
            let types = try StatementCall.writtenTypes(of: sql, snapshot.context)
            return (types, types.isEmpty ? "" : try snapshot.context.explainSQL(sql))
        }
        guard !types.isEmpty else { return nil }
        self.text = text
    }

    /// Returns the statement with its plan, and the form that runs it. Where there is no form, a sentence says why.
    func confirmation(on site: Site) -> HTML {
        html {
            Tag.h2(.id("confirmation")) {
                "This statement writes "
                Tag.bdi { types.joined(separator: ", ").cut(ValueView.cellLimit).text }
            }
            Tag.section(.class("plan"), .aria("label", "Plan")) { Tag.pre { plan.cut(Self.planLimit).text } }
            if let obstacle = obstacle(on: site) {
                ErrorPage.message(obstacle)
                if text.isShownAsItIs { Tag.p { "The command below runs the statement." } }
            } else {
                Tag.pre { Tag.code { text } }
                PageForm.html(
                    "Run the statement", to: SQLPage.address, site.formToken,
                    ["q": text, "shown": site.shownStatements.add(text)])
                Tag.p(.class("hint")) {
                    "All of its changes are kept, or none. It is ended after 10 seconds."
                }
            }
        }
    }

    /// Returns the reason why the page has no form for the statement; nil if it has one.
    private func obstacle(on site: Site) -> (any Error)? {
        guard site.allowsWrites else { return WritesNotAllowed() }
        guard text.isShownAsItIs else {
            return RefusedChange(
                description: "The statement has a character that a page cannot show. Write char(27) in its place, with "
                    + "the number of the character.")
        }
        guard text.utf8.count + text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) <= Self.limit else {
            return RefusedChange(
                description: "The statement has more than \(Self.limit.grouped) bytes, with two for the end of a line.")
        }
        return nil
    }

    /// Runs the statement in a transaction of its own. Cancellation of the task ends it.
    ///
    /// - Throws: ``StatementTooLong``; `SQLError` for a constraint, and for a wrong value; `StoreError`.
    func run(on site: Site) async throws -> StatementResult {
        let start = ContinuousClock.now
        let interruption = StatementInterruption()
        let isTooLong = Monitor(false)
        let age = site.maximumWriteAge
        do {
            return try await withTaskCancellationHandler {
                try await site.write { [text] context in
                    // The wait for other writers has no end here: the store has its own.
                    let end = Deadline(after: age) {
                        isTooLong.withLock { $0 = true }
                        interruption.raise()
                    }
                    defer { end.cancel() }
                    return try StatementCall.$interruption.withValue(interruption) {
                        var rows = ShownRows()
                        let changes = try context.changes(of: SQL(raw: text)) { rows.add($0) }
                        return StatementResult(rows: rows, changes: changes, time: ContinuousClock.now - start)
                    }
                }
            } onCancel: {
                interruption.raise()
            }
        } catch is CancellationError where isTooLong.withLock({ $0 }) {
            throw StatementTooLong()
        }
    }
}

/// The result of a statement that has written.
struct StatementResult: Sendable {
    /// The rows of `RETURNING`.
    let rows: ShownRows
    /// The number of rows that the statement has changed.
    let changes: Int
    let time: Duration

    /// The number of changed rows, and the rows of `RETURNING`, as markup.
    var html: HTML {
        TroveInspector.html {
            Tag.p(.class("verdict"), .role("status")) { "\(counted(changes, "row")) changed, \(time.milliseconds)" }
            rows.table().html
        }
    }
}

/// The error of a statement that writes for too long.
struct StatementTooLong: Error, CustomStringConvertible {
    var description: String {
        "The statement had not ended after 10 seconds, and was undone: nothing is changed. The command has no such limit."
    }
}
#endif
