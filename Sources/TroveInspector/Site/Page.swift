// A page of the inspector.

#if Inspector
import Hummingbird

/// A page of the inspector: a type in a file of its own, and a line in ``Routes``.
protocol Page: Sendable {
    /// The path, such as `/type/:name`. A segment with a colon has any value; see ``PageRequest/subscript(_:)``.
    static var path: String { get }
    /// The name in the navigation; nil for a page that is not in it.
    static var navigationName: String? { get }

    /// Returns whether the navigation has the page, if the page has a name for it.
    static func isInNavigation(of site: Site) -> Bool

    /// Returns the answer to a read of the page.
    static func response(to request: PageRequest) async throws -> Response
}

extension Page {
    static var navigationName: String? { nil }

    static func isInNavigation(of site: Site) -> Bool { true }
}

/// A page with the state of a single snapshot.
protocol SnapshotPage: Page {
    /// Returns the content. The snapshot ends after a second.
    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent
}

extension SnapshotPage {
    static func response(to request: PageRequest) async throws -> Response {
        let (content, commit) = try await request.site.snapshot { snapshot in
            (try Self.content(of: request, snapshot), snapshot.commit)
        }
        return .html(
            PageFrame(request: request, content: content, commit: commit).document, status: content.status)
    }
}

/// The content of a page, without its frame.
struct PageContent: Sendable {
    /// The title, which is also the heading.
    var title: String
    /// The command that prints the same.
    var command: Command
    var status = HTTPResponse.Status.ok
    /// The parts below the heading.
    var body: HTML
}

/// A request of a page.
struct PageRequest: Sendable {
    let site: Site
    let target: RequestTarget
    /// The body, which the guard has read; empty for a read.
    let body: ByteBuffer
    /// The moment at which the request arrived.
    let start = ContinuousClock.now
    private let names: [Substring]

    init(site: Site, target: RequestTarget, body: ByteBuffer = ByteBuffer(), path: String) {
        self.site = site
        self.target = target
        self.body = body
        names = path.split(separator: "/")
    }

    /// The value of a segment of the path by its name, without the colon; empty for another name.
    subscript(_ name: String) -> String {
        guard let place = names.firstIndex(where: { $0 == ":" + name }), target.segments.indices.contains(place) else {
            return ""
        }
        return target.segments[place]
    }

    /// Returns a part of the query as a number from 0 up to a billion; nil if it is missing or none.
    func number(_ name: String) -> Int? {
        query(name).flatMap(Int.init).flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }
    }

    /// Returns a part of the query; nil if it is missing or empty.
    func query(_ name: String) -> String? { target.query[name].flatMap { $0.isEmpty ? nil : $0 } }
}

extension Response {
    /// A page.
    static func html(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
#endif
