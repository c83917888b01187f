// Requests of the pages of a store, without a socket.

#if Inspector
import HTTPTypes
import Hummingbird
import Logging
import Synchronization
import Trove

@testable import TroveInspector

/// A response of a test.
struct TestResponse: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let body: String

    /// The page, which must be valid HTML.
    func page() throws -> HTMLElement { try StrictHTML.parse(body) }
}

/// The pages of a store, without a socket.
struct TestSite: Sendable {
    let site: Site
    private let responder: RouterResponder<InspectorContext>

    static let port = 4_173
    static let host = "127.0.0.1:\(port)"
    static let origin = "http://" + host

    /// - Parameter maximumAge: The age at which snapshots end: by default one that no page of a test has.
    init(
        _ store: Store, allowsWrites: Bool = false, schemaLock: String? = nil, maximumAge: Duration = .seconds(600)
    ) {
        self.init(
            .success(store), path: "/data/my store.trove", allowsWrites: allowsWrites, schemaLock: schemaLock,
            maximumAge: maximumAge)
    }

    init(
        _ store: Result<Store, any Error>, path: String, allowsWrites: Bool = false, schemaLock: String? = nil,
        maximumAge: Duration = .seconds(600), maximumWriteAge: Duration = .seconds(600)
    ) {
        site = Site(
            store, path: path, analyzers: [], logger: Logger(label: "test"), allowsWrites: allowsWrites,
            schemaLock: schemaLock, maximumAge: maximumAge, maximumWriteAge: maximumWriteAge)
        site.address.bind(to: Self.port)
        responder = site.router().buildResponder()
    }

    /// The cookie of a browser that has had the printed address.
    var cookie: String { "trove_inspector_\(Self.port)=\(site.token.text)" }

    /// Returns the answer to a request.
    ///
    /// - Parameters:
    ///   - cookie: The header with cookies; nil for that of a browser with the token; empty for none.
    ///   - body: The parts of the body.
    func send(
        _ method: HTTPRequest.Method = .get, _ path: String, host: String = host, cookie: String? = nil,
        headers: HTTPFields = [:], body: [String] = []
    ) async throws -> TestResponse {
        var headers = headers
        let cookie = cookie ?? self.cookie
        if !cookie.isEmpty { headers[.cookie] = cookie }
        let parts = AsyncStream<ByteBuffer> { stream in
            for part in body { stream.yield(ByteBuffer(string: part)) }
            stream.finish()
        }
        let request = Request(
            head: HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: headers),
            body: RequestBody(asyncSequence: parts))
        let response = try await responder.respond(to: request, context: InspectorContext(logger: site.logger))
        let written = WrittenBody()
        try await response.body.write(written)
        return TestResponse(status: response.status, headers: response.headers, body: written.text)
    }

    /// Sends a form as a browser sends it.
    ///
    /// - Parameter token: The token of forms; nil for that of the pages.
    func send(form: [String: String], to path: String, token: String? = nil) async throws -> TestResponse {
        var fields = Address("form").with("form", token ?? site.formToken.text)
        for (name, value) in form { fields = fields.with(name, value) }
        return try await send(
            .post, path, headers: [.origin: Self.origin], body: [String(fields.text.dropFirst("/form?".count))])
    }

    /// Returns a page after its walk has ended.
    func finishedPage(_ path: String, status: HTTPResponse.Status = .ok) async throws -> HTMLElement {
        let refresh = HTTPField.Name("Refresh")
        while true {
            let response = try await send(.get, path)
            guard response.status == status else {
                throw HTMLError(description: "\(path): \(response.status) \(response.body)")
            }
            if let refresh, response.headers[refresh] != nil { continue }
            return try response.page()
        }
    }

    /// Returns a page, which must be valid HTML.
    func page(_ path: String, status: HTTPResponse.Status = .ok) async throws -> HTMLElement {
        let response = try await send(.get, path)
        guard response.status == status else {
            throw HTMLError(description: "\(path): \(response.status) \(response.body)")
        }
        return try response.page()
    }
}

extension HTMLElement {
    /// Returns the fields of the form of a page that is sent by POST.
    func sentFields() throws -> [String: String] {
        guard let form = all("form").first(where: { $0.attributes["method"] == "post" }) else {
            throw HTMLError(description: "The page has no form that is sent.")
        }
        var fields: [String: String] = [:]
        for input in form.all("input") + form.all("textarea") where input.attributes["type"] != "checkbox" {
            guard let name = input.attributes["name"] else { throw HTMLError(description: "A field has no name.") }
            fields[name] = input.name == "textarea" ? input.text : input.attributes["value"] ?? ""
        }
        return fields
    }
}

/// The body that a response has written.
private final class WrittenBody: ResponseBodyWriter, Sendable {
    private let bytes = Mutex(ByteBuffer())

    var text: String { bytes.withLock { String(buffer: $0) } }

    func write(_ buffer: ByteBuffer) async throws { bytes.withLock { _ = $0.writeImmutableBuffer(buffer) } }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
#endif
