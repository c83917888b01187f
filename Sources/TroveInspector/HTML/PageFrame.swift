// The frame of all pages: title, navigation, the commit that a page shows, and its command.

#if Inspector
import TroveTerminal

/// The frame of a page.
struct PageFrame {
    let request: PageRequest
    let content: PageContent
    /// The number of commits in the snapshot; nil for a page without a snapshot.
    let commit: UInt64?

    /// The maximum size of a page in bytes. The parts of a page are bounded by ``Budget``. What is larger has a single
    /// part that is too large, such as a hostile name.
    static let sizeLimit = 8 << 20

    /// The page as HTML.
    var document: String {
        let document = wholeDocument
        guard document.utf8.count > Self.sizeLimit else { return document }
        let text = "The page would have \(document.utf8.count.grouped) bytes, and a page has at most 8 MB. "
        return Self.bare(title: "This page is too large", text: text + "The command prints what it would show.")
    }

    private var wholeDocument: String {
        HTML.document(
            Tag.html(.language("en")) {
                Self.head(title: content.title + " · " + fileName)
                Tag.body {
                    Tag.a(.class("skip"), .place("content")) { "Skip to the content" }
                    Tag.header {
                        navigation
                        Tag.p(.class("store"), .title(request.site.path)) { Tag.bdi { fileName } }
                    }
                    Tag.main(.id("content"), .tabIndex(-1)) {
                        if isFileReplaced { replacement }
                        Tag.h1 { Tag.bdi { content.title } }
                        content.body
                    }
                    footer
                    help
                }
            })
    }

    /// Returns a page without navigation, for a browser that may not see the store.
    static func bare(title: String, text: String) -> String {
        HTML.document(
            Tag.html(.language("en")) {
                Tag.head {
                    Tag.meta(.charset("utf-8"))
                    Tag.title { title + " · Trove" }
                }
                Tag.body {
                    Tag.main {
                        Tag.h1 { title }
                        Tag.p { text }
                    }
                }
            })
    }

    private static func head(title: String) -> HTML {
        Tag.head {
            Tag.meta(.charset("utf-8"))
            Tag.meta(.name("viewport"), .content("width=device-width, initial-scale=1"))
            Tag.title { title }
            Tag.link(.rel("icon"), .href(IconAsset.address), .type("image/svg+xml"))
            Tag.link(.rel("stylesheet"), .href(StylesheetAsset.address))
            Tag.script(.source(ScriptAsset.address), .defer())
        }
    }

    /// Whether the file of the store has lost its name since the store was opened.
    private var isFileReplaced: Bool { (try? request.site.store.get())?.isFileReplaced ?? false }

    private var replacement: HTML {
        Tag.p(.class("error"), .role("alert")) {
            "The file of this store was moved, removed or replaced. The pages go on with the file that was opened. "
            "Start the inspector again for the file that has the name now."
        }
    }

    private var fileName: String {
        request.site.path.split(separator: "/").last.map(String.init) ?? request.site.path
    }

    private var navigation: HTML {
        Tag.nav(.aria("label", "Pages")) {
            for page in Routes.pages where page.isInNavigation(of: request.site) {
                if let name = page.navigationName {
                    let segments = page.path.split(separator: "/").map(String.init)
                    let isCurrent = request.target.segments == segments
                    Tag.a(.href(Address(path: segments)), isCurrent ? .aria("current", "page") : .none) { name }
                }
            }
        }
    }

    private var footer: HTML {
        Tag.footer {
            Tag.p(.class("state")) {
                if let commit {
                    "Commit "
                    Tag.strong(.id("commit"), .data("commit", "\(commit)")) { Int(clamping: commit).grouped }
                    " · "
                }
                "\((ContinuousClock.now - request.start).milliseconds) · "
                Tag.kbd { "?" }
                " for help"
            }
            Tag.p(.class("command")) {
                Tag.code(.id("command")) { content.command.text }
                Tag.button(.type("button"), .hidden(), .data("copies", "command")) { "Copy as command" }
            }
        }
    }

    private var help: HTML {
        Tag.section(.id("help"), .hidden(), .aria("label", "Keys")) {
            Tag.dl {
                for (keys, meaning) in [
                    (["/"], "search or filter"), (["g", "t"], "types"), (["g", "f"], "search"),
                    (["g", "i"], "indexes"), (["g", "m"], "migrations"), (["g", "s"], "SQL"),
                    (["g", "h"], "history"), (["g", "l"], "commits"), (["n"], "next page"), (["p"], "page before"),
                    (["?"], "this help"), (["Esc"], "leave a field"),
                ] {
                    Tag.dt { keys.map { key in Tag.kbd { key } } }
                    Tag.dd { meaning }
                }
            }
        }
    }
}
#endif
