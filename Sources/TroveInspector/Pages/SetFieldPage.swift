// `/record/NAME/KEY/set`: the change of a field.

#if Inspector
import Hummingbird
import Trove
import TroveCoding

/// The change of a field: a form for the value, then the statement with its confirmation.
///
/// | in the query, or in the form | meaning |
/// |---|---|
/// | `field` | the name of the field |
/// | `value` | the new value as typed |
/// | `nil` | whether the new value is nil |
/// | `seen` | the mark of the record when the form was shown |
/// | `confirmed` | whether the statement was shown |
enum SetFieldPage: SnapshotPage, FormPage {
    static let path = "/record/:name/:key/set"

    /// Returns the address of the form for a field.
    static func address(_ record: ChangedRecord, _ field: LayoutField) -> Address {
        address(record).with("field", field.name)
    }

    private static func address(_ record: ChangedRecord) -> Address {
        Address("record", record.key.type, "0x" + Hexadecimal.text(record.key.bytes), "set")
    }

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        let record = try ChangedRecord(request, snapshot)
        let field = try record.field(named: request.query("field"))
        let stored = try snapshot.context.storedRecord(withKey: record.key.bytes, of: record.type)?.fields[field.name]
        let text = stored.flatMap { TypedValue.text(of: $0) }
        return ChangePage.content("Set \(field.name) of \(record.key)", record, nil, request, nil) {
            if text == nil {
                Tag.p(.class("hint")) { "The present value is too long for a form, or has characters that it changes." }
            }
            valueForm(record, field, Typed(text: text ?? "", isNil: stored == .null), request)
        }
    }

    /// A value as typed.
    private struct Typed {
        var text: String
        var isNil: Bool

        init(text: String, isNil: Bool) { (self.text, self.isNil) = (text, isNil) }

        init(_ form: PageForm) { self.init(text: form["value"] ?? "", isNil: form["nil"] != nil) }
    }

    static func response(to form: PageForm, _ request: PageRequest) async throws -> Response {
        let record = try await request.site.snapshot { try ChangedRecord(request, $0) }
        let field = try record.field(named: form["field"])
        let typed = Typed(form)
        let title = "Set \(field.name) of \(record.key)"
        do {
            let value = typed.isNil ? .null : try TypedValue.value(of: typed.text, as: field)
            let change = try RecordChange(setting: field, to: value, of: record)
            guard form["confirmed"] != nil else {
                let content = ChangePage.content(title, record, change, request, nil) {
                    PageForm.html(
                        "Save the record", to: address(record), request.site.formToken,
                        [
                            "field": field.name, "value": typed.text, "nil": typed.isNil ? "1" : nil,
                            "seen": form["seen"] ?? "", "confirmed": "1",
                        ])
                }
                return ChangePage.response(content, request)
            }
            try await change.run(in: request.site, ifStill: form["seen"] ?? "")
        } catch {
            // What was typed stays on the page.
            let content = ChangePage.content(title, record, nil, request, error) {
                valueForm(record, field, typed, request)
            }
            return ChangePage.response(content, request)
        }
        return .redirect(to: record.address)
    }

    private static func valueForm(
        _ record: ChangedRecord, _ field: LayoutField, _ typed: Typed, _ request: PageRequest
    ) -> HTML {
        let hidden: KeyValuePairs<String, String?> = ["field": field.name, "seen": record.mark]
        return PageForm.html("Show the statement", to: address(record), request.site.formToken, hidden) {
            Tag.div(.class("line")) {
                Tag.label(.for("value")) {
                    Tag.bdi { field.name.cut(ValueView.cellLimit).text }
                    " "
                    Tag.bdi(.class("kind")) { "\(field.type)".cut(120).text }
                }
                Tag.textarea(.id("value"), .name("value"), .rows(3), .spellcheck(false)) { "\n" + typed.text }
            }
            if field.type.canBeNil {
                Tag.div(.class("line")) {
                    Tag.label(.for("nil")) { "nil" }
                    Tag.input(
                        .id("nil"), .name("nil"), .type("checkbox"), .value("1"), typed.isNil ? .checked : .none)
                }
            }
        }
    }
}
#endif
