// The sockets of the server: loopback only.

#if Inspector
import Hummingbird
import Logging
import NIOCore

/// The sockets of a site at 127.0.0.1 and ::1, with the same port.
struct Listener: Sendable {
    let site: Site
    /// The port; 0 for one that is free.
    let port: Int

    /// Answers requests until the task is cancelled.
    ///
    /// - Parameter onListening: Is called once, when the server can be reached.
    /// - Throws: ``InspectorError`` if the port cannot be bound. A system without ::1, or with another program there,
    ///   has the server at 127.0.0.1 alone.
    func run(onListening: @escaping @Sendable () -> Void) async throws {
        do {
            try await listen(onListening: onListening)
        } catch {
            await site.jobs.cancelAll()
            throw error
        }
        await site.jobs.cancelAll()
    }

    private func listen(onListening: @escaping @Sendable () -> Void) async throws {
        let (ports, port) = AsyncStream<Int>.makeStream()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                defer { port.finish() }
                do {
                    try await application("127.0.0.1", self.port) { port.yield($0) }.run()
                } catch let error as IOError {
                    throw InspectorError.cannotListen(port: self.port, reason: "\(error)")
                }
                return true
            }
            var bound: Int?
            for await number in ports {
                bound = number
                break
            }
            if let bound {
                site.address.bind(to: bound)
                onListening()
                group.addTask {
                    // A store that could not be opened has no commits.
                    if case .success(let feed) = site.feed { await feed.follow() }
                    return false
                }
                group.addTask {
                    do {
                        try await application("::1", bound) { _ in }.run()
                    } catch {
                        site.logger.debug("The inspector does not listen at ::1: \(error)")
                    }
                    return false
                }
            }
            while let isMain = try await group.next(), !isMain {}
            group.cancelAll()
        }
    }

    private func application(
        _ host: String, _ port: Int, onBound: @escaping @Sendable (Int) -> Void
    ) -> some ApplicationProtocol {
        Application(
            router: site.router(), server: .http1(configuration: .init(idleTimeout: .seconds(60))),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { channel in if let port = channel.localAddress?.port { onBound(port) } },
            // The server's own lines would name addresses without the token. Its errors are thrown.
            logger: Logger(label: "trove") { _ in SwiftLogNoOpLogHandler() })
    }
}
#endif
