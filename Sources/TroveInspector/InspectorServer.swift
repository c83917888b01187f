// The server of the inspector.

#if Inspector
import Logging
import Trove

/// A server that shows a store in a browser of the same machine, for debug builds.
///
/// ```swift
/// #if DEBUG
/// Task { try await InspectorServer(store).run() }
/// #endif
/// ```
///
/// The server prints an address with a token to the log: without the token, nothing can be read. It listens at
/// 127.0.0.1 and ::1 only, and never writes without `allowsWrites`.
public struct InspectorServer: Sendable {
    private let listener: Listener

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - store: The store to show. A store of the app itself can stay open for writes.
    ///   - port: The port; 0 for one that is free.
    ///   - analyzers: Analyzers of full-text indexes beside the built-in ones, such as analyzers with stemmers.
    ///   - allowsWrites: Whether the pages can delete records, set their fields, and run statements of SQL that write.
    ///     Records of types that the store does not know are written by their layout, without the rules of their
    ///     program.
    ///   - schemaLock: The path of the file of a `SchemaLock`, with which the page of migrations compares the store.
    ///   - logger: The log for the address; by default that of the label `trove`.
    public init(
        _ store: Store, port: Int = 0, analyzers: [TextAnalyzer] = [], allowsWrites: Bool = false,
        schemaLock: String? = nil, logger: Logger? = nil
    ) {
        self.init(
            .success(store), path: store.path, port: port, analyzers: analyzers, allowsWrites: allowsWrites,
            schemaLock: schemaLock, logger: logger)
    }

    /// Creates a server of a store that may have failed to open.
    ///
    /// - Parameter path: The path of the store, as in the commands that pages show.
    package init(
        _ store: Result<Store, any Error>, path: String, port: Int, analyzers: [TextAnalyzer],
        allowsWrites: Bool = false, schemaLock: String? = nil, logger: Logger? = nil
    ) {
        let logger = logger ?? Logger(label: "trove")
        let site = Site(
            store, path: path, analyzers: analyzers, logger: logger, allowsWrites: allowsWrites, schemaLock: schemaLock)
        listener = Listener(site: site, port: port)
    }

    /// Answers requests until the task is cancelled, and logs the address to open, at the level `notice`.
    ///
    /// - Throws: ``InspectorError``.
    public func run() async throws {
        let logger = listener.site.logger
        try await run { address in logger.notice("The inspector of this store is at \(address)") }
    }

    /// Answers requests until the task is cancelled.
    ///
    /// - Parameter onListening: Receives the address to open, with its token.
    package func run(onListening: @escaping @Sendable (String) -> Void) async throws {
        let site = listener.site
        try await listener.run { onListening(site.openingAddress) }
    }
}
#endif
