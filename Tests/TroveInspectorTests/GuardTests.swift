// The guard in front of all pages.

#if Inspector
import HTTPTypes
import Hummingbird
import Synchronization
import Testing
import Trove

@testable import TroveInspector

struct GuardTests {
    private let site: TestSite
    private static let paths = [
        "/", "/sql", "/sql?q=SELECT%201", "/type/TroveInspectorTests.User",
        "/record/TroveInspectorTests.User/0x8000000000000001", "/style.css", "/script.js", "/icon.svg", "/nothing",
    ]

    init() throws { site = TestSite(try Store.temporary(records: [User.self])) }

    @Test(arguments: paths) func withoutToken_isRefused(_ path: String) async throws {
        for cookie in [
            "", "trove_inspector_4173=", "trove_inspector_4173=\(SecretToken().text)", "x=\(site.site.token.text)",
        ] {
            let response = try await site.send(.get, path, cookie: cookie)
            #expect(response.status == .forbidden)
            #expect(response.headers[.setCookie] == nil)
            #expect(try response.page().text.contains("Refused"))
        }
    }

    @Test func token_isTradedForACookie() async throws {
        let response = try await site.send(.get, "/?t=\(site.site.token.text)", cookie: "")
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/")
        #expect(
            response.headers[.setCookie]
                == "trove_inspector_4173=\(site.site.token.text); Path=/; HttpOnly; SameSite=Strict")
        #expect(response.body.isEmpty)
        #expect(try await site.send(.get, "/").status == .ok)
        // No other response sets a cookie.
        for path in Self.paths { #expect(try await site.send(.get, path).headers[.setCookie] == nil) }
    }

    @Test func token_isThatOfThePrintedAddressOnly() async throws {
        let token = site.site.token.text
        for offered in ["", "0", String(token.dropLast()), token + "0", SecretToken().text, token.uppercased() + "g"] {
            // Not even with the cookie.
            #expect(try await site.send(.get, "/?t=\(offered)").status == .forbidden)
        }
        #expect(try await site.send(.get, "/type/x?t=\(token)", cookie: "").status == .forbidden)
        #expect(
            try await site.send(
                .post, "/?t=\(token)", cookie: "", headers: [.origin: TestSite.origin]
            ).status == .forbidden)
        #expect(token.utf8.count == 32)
        #expect(SecretToken().text != SecretToken().text)
    }

    @Test func cookie_isFoundAmongOthers() async throws {
        let good = site.cookie
        let wrong = "trove_inspector_4173=0"
        for cookies in ["a=b; \(good)", "\(good); \(wrong)", "\(wrong);\(good)", "; ;=; \(good) "] {
            #expect(try await site.send(.get, "/", cookie: cookies).status == .ok)
        }
        let many = Array(repeating: wrong, count: 64).joined(separator: ";")
        #expect(try await site.send(.get, "/", cookie: many + ";" + good).status == .forbidden)
    }

    @Test func host_isThatOfTheServer() async throws {
        for host in ["127.0.0.1:4173", "[::1]:4173", "localhost:4173", "LOCALHOST:4173"] {
            #expect(try await site.send(.get, "/", host: host).status == .ok)
        }
        for host in [
            "", "127.0.0.1", "127.0.0.1:4174", "evil.example:4173", "localhost.evil.example:4173", "0.0.0.0:4173",
            "127.0.0.1:4173.evil.example",
        ] {
            let response = try await site.send(.get, "/", host: host)
            #expect(response.status == .forbidden)
            #expect(!response.body.contains("User"))
            #expect(try await site.send(.get, "/?t=\(site.site.token.text)", host: host).status == .forbidden)
        }
        let unbound = BoundAddress()
        #expect(!unbound.isHost("127.0.0.1:0"))
    }

    @Test func origin_mustMatchOnAllButReads() async throws {
        let methods: [HTTPRequest.Method] = [.post, .put, .delete, .patch, .options]
        for method in methods {
            for origin in [nil, "", "null", "http://evil.example", "https://127.0.0.1:4173", "http://127.0.0.1"] {
                var headers = HTTPFields()
                if let origin { headers[.origin] = origin }
                let response = try await site.send(method, "/sql", headers: headers)
                #expect(response.status == .forbidden)
            }
            // No route writes.
            let response = try await site.send(method, "/sql", headers: [.origin: TestSite.origin])
            #expect(response.status == .notFound)
        }
        // Pages of other servers cannot read either, with the cookie that a browser sends to all ports of a machine.
        let fetchSite = try #require(HTTPField.Name("Sec-Fetch-Site"))
        for headers: HTTPFields in [
            [.origin: "http://evil.example"], [.origin: "http://127.0.0.1:1"], [fetchSite: "same-site"],
            [fetchSite: "cross-site"],
        ] {
            #expect(try await site.send(.get, "/", headers: headers).status == .forbidden)
        }
        for headers: HTTPFields in [
            [:], [.origin: TestSite.origin], [fetchSite: "same-origin"], [fetchSite: "none"],
        ] {
            #expect(try await site.send(.get, "/", headers: headers).status == .ok)
        }
    }

    @Test func body_isBounded() async throws {
        let origin: HTTPFields = [.origin: TestSite.origin]
        let limit = RequestGuard.bodyLimit
        let part = String(repeating: "x", count: limit / 4)
        #expect(
            try await site.send(.post, "/sql", headers: origin, body: [part, part, part, part]).status == .notFound)
        #expect(
            try await site.send(.post, "/sql", headers: origin, body: [part, part, part, part, "x"]).status
                == .contentTooLarge)
        for length in ["\(limit + 1)", "99999999999999999999", "-", "x"] {
            for method in [HTTPRequest.Method.get, .post] {
                var headers = origin
                headers[.contentLength] = length
                #expect(try await site.send(method, "/sql", headers: headers).status == .contentTooLarge)
            }
        }
    }

    @Test(arguments: paths) func responses_haveTheHeaders(_ path: String) async throws {
        for cookie in [nil, ""] {
            for method in [HTTPRequest.Method.get, .head] {
                let response = try await site.send(method, path, cookie: cookie)
                let policy = response.headers[.contentSecurityPolicy] ?? ""
                #expect(policy.hasPrefix("default-src 'self';"))
                #expect(!policy.contains("unsafe"))
                #expect(response.headers[.cacheControl] == "no-store")
                #expect(response.headers[.xContentTypeOptions] == "nosniff")
                #expect(response.headers[.accessControlAllowOrigin] == nil)
                if method == .head { #expect(response.body.isEmpty) }
            }
        }
    }

    @Test(arguments: [
        "", "//", "/..", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/type", "/type/", "/type/..%2F..",
        "/type/%FF", "/type/%", "/type/%zz", "/type/%00", "/record/x", "/record/x/y/z", "/style.css/..",
        "/style.css%00", "/STYLE.CSS", "/record/%2F/0x", "/type/TroveInspectorTests.User/", "/?", "/?t", "/?%FF=%FF",
        "/type/TroveInspectorTests.User?after=zz", "/type/TroveInspectorTests.User?before=0",
        "/record/TroveInspectorTests.User/0xzz", "/record/TroveInspectorTests.User/abc",
        "/record/TroveInspectorTests.User/0x", "/sql?skip=-1&q=SELECT%201", "/sql?skip=99999999999999999999&q=x",
        "/sql?form=exe&q=SELECT%201",
    ])
    func tricksOfPaths_findNothing(_ path: String) async throws {
        let response = try await site.send(.get, path)
        #expect([.ok, .notFound, .forbidden].contains(response.status), "\(response.status) \(response.body)")
        let text = try response.page().text
        #expect(!text.contains("root:"))
    }

    @Test func sixteenRequests_areAnsweredAtOnce() async throws {
        let limit = RequestLimit()
        let context = InspectorContext(logger: site.site.logger)
        let request = Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: "", path: "/"),
            body: RequestBody(buffer: ByteBuffer()))
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Void>.makeStream()
        let gate = Task { for await _ in ended {} }
        try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for _ in 0..<RequestLimit.limit {
                group.addTask {
                    try await limit.handle(request, context: context) { _, _ in
                        begin.yield()
                        await gate.value
                        return Response(status: .ok)
                    }.status
                }
            }
            var count = 0
            for await _ in begun {
                count += 1
                if count == RequestLimit.limit { break }
            }
            let refused = try await limit.handle(request, context: context) { _, _ in Response(status: .ok) }
            #expect(refused.status == .serviceUnavailable)
            #expect(refused.headers[.retryAfter] == "1")
            end.finish()
            for try await status in group { #expect(status == .ok) }
        }
        let answered = try await limit.handle(request, context: context) { _, _ in Response(status: .ok) }
        #expect(answered.status == .ok)
    }
}
#endif
