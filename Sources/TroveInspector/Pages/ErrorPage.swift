// The page of an error.

#if Inspector
import Hummingbird
import Trove
import TroveSQL

/// The page of an error: of a store that cannot be opened, of damage, or of a name that the store does not have.
enum ErrorPage {
    /// Returns the page of an error.
    static func response(to request: PageRequest, _ error: any Error) -> Response {
        let path = request.site.path
        var content = PageContent(title: "", command: Command("verify", path), body: HTML())
        if case .failure = request.site.store {
            content.title = "This store cannot be opened"
            content.body = html {
                message(error)
                Tag.p { "The command below examines the file, and reports any damage." }
            }
        } else if let error = error as? NotFound {
            content.title = "Not found"
            content.status = .notFound
            content.command = Command("info", path)
            content.body = message(error)
        } else if error is WritesNotAllowed {
            content.title = "Read-only"
            content.status = .forbidden
            content.command = Command("sql", path, "--write")
            content.body = message(error)
        } else if error is RefusedChange {
            content.title = "This record cannot be changed"
            content.status = .conflict
            content.command = Command("sql", path, "--write")
            content.body = message(error)
        } else if error is TooManyJobs {
            content.title = "Busy"
            content.status = .serviceUnavailable
            content.body = message(error)
        } else {
            content.title = "This page cannot be shown"
            content.status = .internalServerError
            content.body = html {
                message(error)
                if error.isOfDamage { Tag.p { "The command below examines the file, and reports all damage." } }
            }
        }
        return .html(PageFrame(request: request, content: content, commit: nil).document, status: content.status)
    }

    /// Returns the words of an error.
    static func message(_ error: any Error) -> HTML {
        Tag.p(.class("error"), .role("alert")) { Tag.bdi { "\(error)" } }
    }
}

/// The error of a name or a key that the store does not have.
struct NotFound: Error, CustomStringConvertible {
    let description: String
}

extension Error {
    /// Whether the error is of a damaged store.
    var isOfDamage: Bool {
        switch (self as? SQLError)?.cause ?? self as? StoreError {
        case .record(.checksumMismatch), .record(.corrupted), .record(.indexDamaged), .schema(.layoutDamaged),
            .file(.damaged), .file(.truncated), .file(.verificationFailed):
            true
        default: false
        }
    }
}
#endif
