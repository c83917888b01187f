// `/health`: whether the file is sound, and the indexes agree with the records.

#if Inspector
import Foundation
import Hummingbird
import LMDB
import Trove
import TroveTerminal

/// The verification of the file, and the check of indexes and links.
///
/// | in the query | meaning |
/// |---|---|
/// | `verify` | the number of a verification of the file |
/// | `check` | the number of a check of indexes and links |
/// | `type`, `index` | the only type to check, and its only index |
///
/// A form with a type and an index starts a check of the index.
enum HealthPage: JobPage, FormPage {
    static let path = "/health"
    static let navigationName: String? = "Health"
    static let mayWrite = false

    /// The maximum number of findings that a page shows.
    private static let findingLimit = 1_000
    /// The number of differences after which the comparison of a type ends.
    private static let differenceLimit = 1_000

    /// Returns the address of the check of an index, or of all indexes of a type.
    static func check(_ index: String? = nil, of type: String, run: Int) -> Address {
        Address("health").with("check", "\(run)").with("type", type).with("index", index)
    }

    /// Returns a button that starts the check of an index.
    static func checkForm(_ index: String, of type: String, _ token: SecretToken) -> HTML {
        PageForm.html("Check", to: Address("health"), token, ["type": type, "index": index])
    }

    static func response(to form: PageForm, _ request: PageRequest) async throws -> Response {
        guard let type = form["type"], let index = form["index"] else {
            throw NotFound(description: "The form names no index.")
        }
        return .redirect(to: check(index, of: type, run: await request.site.jobs.nextNumber()))
    }

    static func content(of request: PageRequest) async throws -> JobContent {
        if let run = request.number("verify") { return try await verification(run, request) }
        if let run = request.number("check") { return try await check(run, request) }
        let number = "\(await request.site.jobs.nextNumber())"
        return JobContent(
            page: PageContent(
                title: "Health", command: Command("verify", request.site.path),
                body: Tag.dl(.class("facts")) {
                    Tag.dt { Tag.a(.href(Address("health").with("verify", number))) { "Verify the file" } }
                    Tag.dd { "Reads every page in use, and verifies the checksum of every record." }
                    Tag.dt { Tag.a(.href(Address("health").with("check", number))) { "Check indexes and links" } }
                    Tag.dd { "Compares the entries of all indexes with the records, and both ends of all links." }
                }))
    }

    // MARK: The file

    private static func verification(_ run: Int, _ request: PageRequest) async throws -> JobContent {
        let path = request.site.path
        let store = try? request.site.store.get()
        let state = try await request.site.jobs.state(of: "verify \(run)") { progress in
            @Sendable func verify() async throws -> VerificationReport {
                try await Store.verify(path: path) { done, total in progress(done, total) }
            }
            if let store { return try await store.readingNamedFile(verify) }
            return try await verify()
        }
        let again = Address("health").with("verify", "\(await request.site.jobs.nextNumber())")
        var content = JobContent(
            page: PageContent(title: "Verification", command: Command("verify", path), body: HTML()))
        switch state {
        case .running(let progress):
            content.isRunning = true
            content.page.body = waiting(progress, "pages")
        case .failed(let error): content.page.body = failure(error, again: again)
        case .finished(let report, let moment):
            content.page.body = html {
                verdict(
                    isGood: report.isSound && report.isStore,
                    report.isStore
                        ? report.isSound ? "The file is sound." : "The file is damaged."
                        : "The file is no store.")
                Tag.p {
                    "\(counted(report.records, "record")) in \(counted(Int(report.file.usedPages), "page"))."
                }
                Self.state(at: moment, again: again, "Verify again")
                findings(report.findings, omitted: report.file.omittedFindings, in: report)
            }
        }
        return content
    }

    private static func findings(
        _ findings: [FileFinding], omitted: Int, in report: VerificationReport
    ) -> HTML {
        let types = Dictionary(
            report.types.compactMap { type in type.name.map { (type.table, $0) } },
            uniquingKeysWith: { first, _ in first })
        var budget = Budget()
        let shown = budget.parts(of: findings.prefix(findingLimit)) { finding in
            Tag.li(.class(finding.isDamage ? "error" : nil)) {
                Tag.bdi { (finding.isDamage ? "" : "Remark: ") + "\(finding)" }
                if let type = finding.table.flatMap({ types[$0] }), let key = finding.key {
                    " "
                    Tag.a(.href(Address("record", type, "0x" + Hexadecimal.text(key)))) { "Show the record" }
                }
            }
        }
        let others = omitted + findings.count - shown.count
        guard !shown.isEmpty else { return HTML() }
        return html {
            Tag.ul(.class("findings")) { shown }
            if others > 0 { Tag.p(.class("hint")) { "… and \(others.grouped) more." } }
        }
    }

    // MARK: Indexes and links

    private static func check(_ run: Int, _ request: PageRequest) async throws -> JobContent {
        let store = try request.site.store.get()
        let (name, index) = (request.query("type"), request.query("index"))
        // No name has a zero character.
        let key = ["check \(run)", name ?? "", index ?? ""].joined(separator: "\0")
        let state = try await request.site.jobs.state(of: key) { progress in
            try await store.readLong { context in
                guard let name else {
                    return try context.checkStoredIndexes(of: context.storedTypes()) { progress($0, $1) }
                }
                let type = try context.knownType(named: name)
                return [try context.checkStoredIndexes(of: type, index: index) { progress($0, $1) }]
            }
        }
        let number = await request.site.jobs.nextNumber()
        let again = Address("health").with("check", "\(number)").with("type", name).with("index", index)
        var command = Command("check", request.site.path)
        if let name { command = command.with(name) }
        if let index { command = command.with(index) }
        var content = JobContent(
            page: PageContent(
                title: [index.map { "Check of \($0)" } ?? "Check", name.map { "of \($0)" }].compactMap(\.self)
                    .joined(separator: " "), command: command, body: HTML()))
        switch state {
        case .running(let progress):
            content.isRunning = true
            content.page.body = waiting(progress, "records and entries")
        case .failed(let error): content.page.body = failure(error, again: again)
        case .finished(let checks, let moment): content.page.body = report(checks, moment, run, again: again)
        }
        return content
    }

    private static func report(
        _ checks: [StoredTypeCheck], _ moment: Date, _ run: Int, again: Address
    ) -> HTML {
        let differences = checks.flatMap(\.differences)
        let indexes = checks.flatMap(\.indexes)
        var budget = Budget()
        let shown = budget.parts(of: differences.prefix(findingLimit)) { difference in
            Tag.li(.class("error")) {
                Tag.bdi { "\(difference)" }
                if !difference.kind.isOfEntries, !difference.key.bytes.isEmpty {
                    " "
                    Tag.a(.href(RecordLink.address(difference.key))) { "Show the record" }
                }
            }
        }
        let rows = budget.parts(of: indexes.prefix(findingLimit)) { row($0, run) }
        let isWhole = checks.allSatisfy { $0.differences.count < differenceLimit }
        let partial = indexes.count { $0.extent != .whole || $0.olderRecords > 0 }
        return html {
            verdict(
                isGood: differences.isEmpty,
                differences.isEmpty
                    ? "No differences were found."
                    : "\(isWhole ? "" : "At least ")\(counted(differences.count, "difference")). "
                        + "trove rebuild repairs those of indexes.")
            state(at: moment, again: again, "Check again")
            if partial > 0 {
                Tag.p(.class("hint")) {
                    "\(counted(partial, "index", "indexes")) could not be compared as a whole: see the table."
                }
            }
            if !shown.isEmpty { Tag.ul(.class("findings")) { shown } }
            if differences.count > shown.count {
                Tag.p(.class("hint")) { "… and \((differences.count - shown.count).grouped) more." }
            }
            if !rows.isEmpty { table(rows) }
            Budget.hint(rows.count, of: indexes.count, "indexes", limit: findingLimit)
        }
    }

    private static func table(_ rows: [HTML]) -> HTML {
        Tag.div(.class("scrolls")) {
            Tag.table {
                Tag.thead {
                    Tag.tr {
                        for heading in ["Index", "Entries", "Compared", "Differences"] {
                            Tag.th(.scope("col")) { heading }
                        }
                    }
                }
                Tag.tbody { rows }
            }
        }
    }

    private static func row(_ check: StoredIndexCheck, _ run: Int) -> HTML {
        Tag.tr {
            Tag.th(.scope("row")) {
                Tag.a(.href(Self.check(check.index, of: check.type, run: run))) {
                    Tag.bdi { "\(check.index) of \(check.type)" }
                }
            }
            Tag.td(.class("number")) {
                check.hasGroups ? counted(check.entries, "group") : check.entries.grouped
            }
            Tag.td { words(check) }
            Tag.td(.class("number")) { check.differences.count.grouped }
        }
    }

    private static func words(_ check: StoredIndexCheck) -> String {
        let extent =
            switch check.extent {
            case .whole: check.hasGroups ? "all groups and records" : "all entries and records"
            case .entries: "all entries; only the program knows the records without one"
            case .notReady: "nothing: the index is still being built"
            case .unknown: "nothing: only the program derives its entries"
            }
        guard check.olderRecords > 0 else { return extent }
        return extent + "; not \(counted(check.olderRecords, "record")) of older layouts"
    }

    private static func verdict(isGood: Bool, _ text: String) -> HTML {
        Tag.p(.class("verdict", isGood ? "good" : "error"), .role("status")) { text }
    }
}
#endif
