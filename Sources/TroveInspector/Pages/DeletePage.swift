// `/record/NAME/KEY/delete`: the confirmation of a removal.

#if Inspector
import Hummingbird
import Trove

/// The confirmation of a record's removal, and its form.
enum DeletePage: SnapshotPage, FormPage {
    static let path = "/record/:name/:key/delete"

    /// Returns the address of the confirmation.
    static func address(_ record: ChangedRecord) -> Address {
        Address("record", record.key.type, "0x" + Hexadecimal.text(record.key.bytes), "delete")
    }

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        try content(ChangedRecord(request, snapshot), request)
    }

    private static func content(
        _ record: ChangedRecord, _ request: PageRequest, failure: (any Error)? = nil
    ) throws -> PageContent {
        let change = try RecordChange(deleting: record)
        return ChangePage.content("Delete \(record.key)", record, change, request, failure) {
            PageForm.html("Delete the record", to: address(record), request.site.formToken, ["seen": record.mark])
        }
    }

    static func response(to form: PageForm, _ request: PageRequest) async throws -> Response {
        let record = try await request.site.snapshot { try ChangedRecord(request, $0) }
        do {
            try await RecordChange(deleting: record).run(in: request.site, ifStill: form["seen"] ?? "")
        } catch {
            return ChangePage.response(try content(record, request, failure: error), request)
        }
        return .redirect(to: TypePage.address(record.type.name))
    }
}

/// The parts that the pages of changes share.
enum ChangePage {
    /// Returns a page with the statement of a change, and its form.
    static func content(
        _ title: String, _ record: ChangedRecord, _ change: RecordChange?, _ request: PageRequest,
        _ failure: (any Error)?, @HTMLBuilder _ form: () -> HTML
    ) -> PageContent {
        PageContent(
            title: title.cut(120).text,
            command: change.map { Command("sql", request.site.path, "--write").with(text: $0.text) }
                ?? Command("sql", request.site.path, "--write"),
            status: failure == nil ? .ok : .conflict,
            body: html {
                if let failure { ErrorPage.message(failure) }
                Tag.p(.class("pages")) {
                    Tag.a(.href(record.address)) { "Back to the record" }
                    Tag.a(.href(TypePage.address(record.type.name))) { Tag.bdi { record.type.name } }
                }
                if let change { Tag.pre { Tag.code { change.text } } }
                form()
            })
    }

    /// Returns the answer to a form that has not changed the record.
    static func response(_ content: PageContent, _ request: PageRequest) -> Response {
        .html(PageFrame(request: request, content: content, commit: nil).document, status: content.status)
    }
}
#endif
