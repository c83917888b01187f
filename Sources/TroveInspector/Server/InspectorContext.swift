// The context of a request in the router.

#if Inspector
import Hummingbird
import Logging

/// The context of a request in the router.
struct InspectorContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }

    /// Creates the context of a request without a connection, for tests.
    init(logger: Logger) { coreContext = CoreRequestContextStorage(source: Unconnected(logger: logger)) }

    private struct Unconnected: RequestContextSource {
        let logger: Logger
    }
}
#endif
