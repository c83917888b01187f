// A page with the result of a long walk.

#if Inspector
import Foundation
import HTTPTypes
import Hummingbird

/// A page with the result of a long walk over the store. While it runs, the page shows its progress, and loads itself
/// again each second.
protocol JobPage: Page {
    /// Returns the content, and whether a walk is running.
    static func content(of request: PageRequest) async throws -> JobContent
}

/// The content of a page with the result of a long walk.
struct JobContent: Sendable {
    var page: PageContent
    var isRunning = false
}

extension JobPage {
    static func response(to request: PageRequest) async throws -> Response {
        let content = try await content(of: request)
        let frame = PageFrame(request: request, content: content.page, commit: nil)
        var response = Response.html(frame.document, status: content.page.status)
        if content.isRunning, let refresh = HTTPField.Name("Refresh") { response.headers[refresh] = "1" }
        return response
    }

    /// Returns the moment of a result, and a link to walk again.
    static func state(at moment: Date, again: Address, _ words: String) -> HTML {
        Tag.p {
            "The state at \(moment.ISO8601Format()). "
            Tag.a(.href(again), .rel("nofollow")) { words }
        }
    }

    /// Returns the error of a walk, and a link to walk again.
    static func failure(_ error: any Error, again: Address) -> HTML {
        html {
            ErrorPage.message(error)
            Tag.p { Tag.a(.href(again), .rel("nofollow")) { "Try again" } }
        }
    }

    /// Returns the progress of a walk.
    ///
    /// - Parameter unit: The word for several parts, such as `pages`.
    static func waiting(_ progress: JobProgress, _ unit: String) -> HTML {
        Tag.section(.role("status")) {
            ProgressView.html("Walking", progress.done, of: progress.total, unit)
            Tag.p(.class("hint")) { "The walk ends 90 seconds after this page is closed." }
        }
    }
}
#endif
