// The server with its sockets: loopback only, and the printed address leads to the store.

#if Inspector && os(Linux)
import Foundation
import FoundationNetworking
import LMDB
import Testing
import Trove

@testable import TroveInspector

struct ListeningTests {
    /// Runs a server, and a closure with its address.
    private func withServer(_ body: @escaping @Sendable (URL) async throws -> Void) async throws {
        let server = InspectorServer(try SampleStore.full())
        let (addresses, address) = AsyncStream<String>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run { address.yield($0) } }
            group.addTask {
                var iterator = addresses.makeAsyncIterator()
                let text = try #require(await iterator.next())
                try await body(try #require(URL(string: text)))
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Returns the local addresses of the listening sockets with a port, of a file such as `/proc/net/tcp`.
    private static func listening(_ path: String, _ port: Int) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            let parts = words[1].split(separator: ":")
            // 0A: the socket listens.
            return words[3] == "0A" && Int(parts[1], radix: 16) == port ? String(parts[0]) : nil
        }
    }

    @Test(.timeLimit(.minutes(60))) func sockets_areOfLoopbackOnly() async throws {
        try await withServer { url in
            let port = try #require(url.port)
            #expect(url.host() == "127.0.0.1")
            #expect(try Self.listening("/proc/net/tcp", port) == ["0100007F"])
            // The second socket follows the first, if the system has the address.
            let addresses = try String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)
            let expected = "00000000000000000000000000000001"
            guard addresses.contains(expected) else { return }
            while try Self.listening("/proc/net/tcp6", port).isEmpty { try await Task.sleep(for: .milliseconds(10)) }
            #expect(try Self.listening("/proc/net/tcp6", port) == ["00000000000000000000000001000000"])
        }
    }

    @Test(.timeLimit(.minutes(60))) func printedAddress_leadsToTheStore() async throws {
        try await withServer { url in
            let browser = URLSession(configuration: .ephemeral)
            let (page, response) = try await browser.data(from: url)
            let status = (response as? HTTPURLResponse)?.statusCode
            #expect(status == 200)
            // The address no longer has the token.
            #expect(response.url?.query() == nil)
            let root = try StrictHTML.parse(String(decoding: page, as: UTF8.self))
            #expect(root.text.contains("TroveInspectorTests.User"))
            let link = try #require(root.links.first { $0.contains("User") })
            let (second, _) = try await browser.data(from: try #require(URL(string: link, relativeTo: url)))
            #expect(try StrictHTML.parse(String(decoding: second, as: UTF8.self)).text.contains("User 7"))
            // Another browser has no cookie.
            let other = URLSession(configuration: .ephemeral)
            var components = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
            components.query = nil
            let (_, refused) = try await other.data(from: try #require(components.url))
            #expect((refused as? HTTPURLResponse)?.statusCode == 403)
        }
    }

    @Test(.timeLimit(.minutes(60))) func takenPort_isAnError() async throws {
        try await withServer { url in
            let port = try #require(url.port)
            let second = InspectorServer(try SampleStore.empty(), port: port)
            let error = await #expect(throws: InspectorError.self) { try await second.run { _ in } }
            #expect("\(try #require(error))".contains("\(port)"))
        }
    }
}
#endif
