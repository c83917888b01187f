// The limit of requests at once.

#if Inspector
import Hummingbird
import LMDB

/// The limit of requests that are answered at once. A request counts until its answer begins, so that a stream of
/// events does not count.
struct RequestLimit: RouterMiddleware {
    typealias Context = InspectorContext

    /// The number of requests that are answered at once.
    static let limit = 16
    private let count = Monitor(0)

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let isAdmitted = count.withLock { count in
            guard count < Self.limit else { return false }
            count += 1
            return true
        }
        guard isAdmitted else {
            var response = Refusal.tooMany.response
            response.headers[.retryAfter] = "1"
            return response
        }
        defer { count.withLock { $0 -= 1 } }
        return try await next(request, context)
    }
}
#endif
