// The headers of all responses.

#if Inspector
import HTTPTypes
import Hummingbird

/// The headers of all responses: nothing comes from another server, no script or style is in a page, and nothing is
/// kept by the browser.
struct ResponseHeaders: RouterMiddleware {
    typealias Context = InspectorContext

    private static let headers: [(HTTPField.Name?, String)] = [
        (
            .contentSecurityPolicy,
            "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
        ),
        (.cacheControl, "no-store"),
        (.xContentTypeOptions, "nosniff"),
        // Not `no-referrer`, with which a browser sends no origin.
        (HTTPField.Name("Referrer-Policy"), "same-origin"),
        (HTTPField.Name("Cross-Origin-Opener-Policy"), "same-origin"),
        (HTTPField.Name("Cross-Origin-Resource-Policy"), "same-origin"),
    ]

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as HTTPError {
            response = .html(
                PageFrame.bare(
                    title: "\(error.status.code) \(error.status.reasonPhrase)", text: "There is no such page."),
                status: error.status)
        }
        for case (let name?, let value) in Self.headers { response.headers[name] = value }
        return request.method == .head ? response.createHeadResponse() : response
    }
}
#endif
