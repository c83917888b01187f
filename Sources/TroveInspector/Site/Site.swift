// The pages of a store, without a socket.

#if Inspector
import Hummingbird
import Logging
import Trove

/// The pages of a store, with the guard in front of them.
final class Site: Sendable {
    /// The store, or the error with which its opening failed.
    let store: Result<Store, any Error>
    /// The path of the store, as in commands.
    let path: String
    /// Analyzers of full-text indexes beside the built-in ones.
    let analyzers: [TextAnalyzer]
    /// Whether pages can change records.
    let allowsWrites: Bool
    /// The path of a schema lock to compare the store with; nil for none.
    let schemaLock: String?
    let token = SecretToken()
    /// The secret of the forms in pages. It is not that of the cookie, which scripts cannot read.
    let formToken = SecretToken()
    let address = BoundAddress()
    /// The age at which the snapshot of a page ends. The pages of the file that it has kept from reuse are then free.
    let maximumAge: Duration
    /// The time after which a statement that writes ends.
    let maximumWriteAge: Duration
    /// The statements that pages have shown for a confirmation.
    let shownStatements = ShownStatements()
    private let limit = RequestLimit()
    let logger: Logger
    /// The long walks over the store.
    let jobs = Jobs()
    /// The commits for streams of events, or the error of the opening.
    let feed: Result<LiveFeed, any Error>

    init(
        _ store: Result<Store, any Error>, path: String, analyzers: [TextAnalyzer], logger: Logger,
        allowsWrites: Bool = false, schemaLock: String? = nil, maximumAge: Duration = .seconds(1),
        maximumWriteAge: Duration = .seconds(10)
    ) {
        self.store = store
        self.path = path
        self.analyzers = analyzers
        self.allowsWrites = allowsWrites
        self.schemaLock = schemaLock
        self.logger = logger
        self.maximumAge = maximumAge
        self.maximumWriteAge = maximumWriteAge
        feed = store.map { LiveFeed($0) }
    }

    /// Whether the store keeps a history.
    var keepsHistory: Bool { (try? store.get().keepsHistory) ?? false }

    /// The address to print, which has the token.
    var openingAddress: String { "http://127.0.0.1:\(address.port)/?t=\(token.text)" }

    /// Returns the router of all pages.
    func router() -> Router<InspectorContext> {
        let router = Router(context: InspectorContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ResponseHeaders())
        router.add(middleware: RequestGuard(token: token, address: address))
        router.add(middleware: limit)
        for page in Routes.pages {
            router.get(RouterPath(page.path)) { [self] request, _ in await response(of: page, to: request) }
            // Without the option, there is no route that writes.
            if let page = page as? any FormPage.Type, allowsWrites || !page.mayWrite {
                router.post(RouterPath(page.path)) { [self] request, _ in await response(of: page, toForm: request) }
            }
        }
        return router
    }

    /// Returns the answer of a page, and for an error the page that shows it.
    private func response(of page: any Page.Type, to request: Request) async -> Response {
        let request = PageRequest(site: self, target: RequestTarget(request), path: page.path)
        do {
            return try await page.response(to: request)
        } catch {
            return ErrorPage.response(to: request, error)
        }
    }
}
#endif
