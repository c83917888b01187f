// The address at which the server listens.

#if Inspector
import LMDB

/// The port at which the server listens, when it does, and the hosts of its addresses.
final class BoundAddress: Sendable {
    private let bound = Monitor<(port: Int, hosts: Set<String>)>((0, []))

    /// Creates an address that is not bound yet: no host is that of the server.
    init() {}

    /// Notes the port.
    func bind(to port: Int) {
        bound.withLock { $0 = (port, Set(["127.0.0.1", "[::1]", "localhost"].map { "\($0):\(port)" })) }
    }

    /// The port; 0 before the server listens.
    var port: Int { bound.withLock { $0.port } }

    /// Returns whether a host, as a browser sends it, is that of the server. Another one is a name of someone else that
    /// leads here.
    func isHost(_ host: String) -> Bool { bound.withLock { $0.hosts.contains(host.lowercased()) } }

    /// Returns whether a page with an origin is one of the server.
    func isOrigin(_ origin: String) -> Bool {
        origin.hasPrefix("http://") && isHost(String(origin.dropFirst("http://".count)))
    }
}
#endif
