// `/type/NAME/plan`: the plan of a filter while it is typed.

#if Inspector
import Hummingbird

/// The plan of a filter while it is typed: a part of a page, which the script asks for. No record is read for it.
///
/// | in the query | meaning |
/// |---|---|
/// | `filter` | the filter |
enum PlanPage: Page {
    static let path = "/type/:name/plan"
    /// The maximum length of a filter in bytes.
    static let filterLimit = 2_000

    /// Returns the address of the plans of a type.
    static func address(_ name: String) -> Address { Address("type", name, "plan") }

    static func response(to request: PageRequest) async throws -> Response {
        .html(try await request.site.snapshot { snapshot in try part(of: request, snapshot).markup })
    }

    private static func part(of request: PageRequest, _ snapshot: Snapshot) throws -> HTML {
        let type = try snapshot.type(named: request["name"])
        let typed = request.query("filter") ?? ""
        guard typed.utf8.count <= filterLimit else {
            return Tag.p(.class("hint")) { "The plan of a filter of more than 2,000 bytes is shown with its rows." }
        }
        do {
            let filter = try RecordFilter(typed.isEmpty ? nil : typed, of: type)
            return try PlanView(filter, type, snapshot, request.site.analyzers).html()
        } catch  where !error.endsPage {
            return ErrorPage.message(error)
        }
    }
}
#endif
