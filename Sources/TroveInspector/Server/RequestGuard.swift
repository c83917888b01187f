// The guard in front of all pages: who may ask, and how much.

#if Inspector
import Hummingbird
import HTTPTypes

/// The guard in front of all pages. It lets pass what comes from a browser that has had the printed address:
///
/// 1. `Host` is that of the server, so that no name of another server leads here.
/// 2. The token of the printed address is traded for a cookie, without which all else is refused.
/// 3. `Origin` is that of the server on everything but a read, and on a read if there is one. A page of another server
///    of this machine, to which a browser sends the same cookies, cannot ask.
/// 4. The body has at most ``bodyLimit`` bytes.
struct RequestGuard: RouterMiddleware {
    typealias Context = InspectorContext

    let token: SecretToken
    let address: BoundAddress

    /// The maximum size of a request's body in bytes.
    static let bodyLimit = 64 << 10
    /// The maximum number of cookies that are compared. Other servers of this machine can set some.
    private static let cookieLimit = 64

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let host = request.head.authority, address.isHost(host) else {
            return Refusal.wrongHost.response
        }
        let target = RequestTarget(request)
        if target.segments.isEmpty, request.method == .get, let offered = target.query["t"] {
            return token.matches(offered) ? welcome : Refusal.wrongToken.response
        }
        guard hasCookie(request) else { return Refusal.noToken.response }
        let isRead = request.method == .get || request.method == .head
        guard isOfThisServer(request, isRead: isRead) else { return Refusal.wrongOrigin.response }
        var request = request
        guard try await isSmall(&request, collects: !isRead) else { return Refusal.tooLarge.response }
        return try await next(request, context)
    }

    /// Returns whether the request comes from a page of this server, or from a person who has typed the address.
    private func isOfThisServer(_ request: Request, isRead: Bool) -> Bool {
        if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }),
            !["same-origin", "none"].contains(site)
        {
            return false
        }
        guard let origin = request.headers[.origin] else { return isRead }
        return address.isOrigin(origin)
    }

    /// The name of the cookie. Cookies of a machine are those of all its ports.
    private var cookieName: String { "trove_inspector_\(address.port)" }

    /// The answer to the printed address: the cookie, and the first page, whose address has no token.
    private var welcome: Response {
        Response(
            status: .seeOther,
            headers: [
                .location: "/", .setCookie: "\(cookieName)=\(token.text); Path=/; HttpOnly; SameSite=Strict",
            ])
    }

    private func hasCookie(_ request: Request) -> Bool {
        let pairs = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
        return pairs.prefix(Self.cookieLimit).contains { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingSpaces == cookieName else { return false }
            return token.matches(parts[1].trimmingSpaces)
        }
    }

    /// Returns whether the body has at most as many bytes as a body may have.
    ///
    /// - Parameter collects: Whether to read the body.
    private func isSmall(_ request: inout Request, collects: Bool) async throws -> Bool {
        if let length = request.headers[.contentLength] {
            guard let length = Int(length), length <= Self.bodyLimit else { return false }
        }
        guard collects else { return true }
        var body = ByteBuffer()
        for try await part in request.body {
            guard body.readableBytes + part.readableBytes <= Self.bodyLimit else { return false }
            body.writeImmutableBuffer(part)
        }
        request.body = RequestBody(buffer: body)
        return true
    }
}

/// The reasons for which the guard refuses a request.
enum Refusal: String {
    case wrongHost = "This is not an address of the inspector. Open the address that it has printed."
    case wrongToken = "The token of this address is not that of the inspector. Open the address that it has printed."
    case noToken = "Open the address that the inspector has printed. It ends with a token, which a browser needs once."
    case wrongOrigin = "The request comes from a page that is not of the inspector."
    case wrongForm = "The form is not of a page of this inspector. Load the page again."
    case tooLarge = "The body of the request is too large."
    case tooManyStreams = "Too many pages of the inspector are open. Close some of them."
    case tooMany = "The inspector answers 16 requests at once. Try again."

    /// The answer: a page of its own, without the contents of the store.
    var response: Response {
        let status: HTTPResponse.Status =
            switch self {
            case .wrongHost, .wrongToken, .noToken, .wrongOrigin, .wrongForm: .forbidden
            case .tooLarge: .contentTooLarge
            case .tooMany, .tooManyStreams: .serviceUnavailable
            }
        return .html(PageFrame.bare(title: "Refused", text: rawValue), status: status)
    }
}

extension Substring {
    /// The text without spaces at its ends.
    fileprivate var trimmingSpaces: String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}
#endif
