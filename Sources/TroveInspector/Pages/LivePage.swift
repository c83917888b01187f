// `/live`: the commits as they come.

#if Inspector
import Trove

/// The commits as they come.
///
/// | in the query | meaning |
/// |---|---|
/// | `type` | the name of the only type |
enum LivePage: SnapshotPage {
    static let path = "/live"
    static let navigationName: String? = "Live"

    /// Returns the address of the commits of a type.
    static func address(_ type: String) -> Address { Address("live").with("type", type) }

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        let type = try request.query("type").map { try snapshot.type(named: $0).name }
        var command = Command("watch", request.site.path)
        if let type { command = command.with(type) }
        return PageContent(
            title: type.map { "Commits of \($0)" } ?? "Commits", command: command,
            body: html {
                Tag.p(.class("hint")) {
                    "Commits of all programs from now on, the latest first. "
                    if snapshot.context.keepsHistory {
                        Tag.a(.href(HistoryPage.address)) { "Earlier commits" }
                    } else {
                        "Earlier ones are not stored."
                    }
                    if type != nil {
                        " "
                        Tag.a(.href(Address("live"))) { "All types" }
                    }
                }
                Tag.p(.class("line")) {
                    Tag.button(.type("button"), .id("pause"), .hidden(), .aria("pressed", "false")) { "Pause" }
                    Tag.span(.id("live-state"), .role("status")) { "This page needs its script to receive commits." }
                }
                Tag.div(.class("scrolls")) {
                    Tag.table {
                        Tag.thead {
                            Tag.tr {
                                for heading in ["Commit", "Change", "Record", "Value"] {
                                    Tag.th(.scope("col")) { heading }
                                }
                            }
                        }
                        Tag.tbody(.id("commits"), .data("events", LiveEvents.address(type).text))
                    }
                }
            })
    }
}

extension LiveEvents {
    /// Returns the address of the stream of a type.
    static func address(_ type: String?) -> Address { Address("live", "events").with("type", type) }
}
#endif
