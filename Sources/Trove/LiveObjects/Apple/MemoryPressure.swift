// Warnings of Apple's systems that memory is short. Other systems have none.

#if canImport(Darwin)
import Dispatch

/// Calls a closure whenever the system is short of memory.
///
/// Unchecked because the source is set up once, and used by the system alone.
final class MemoryPressure: @unchecked Sendable {
    private let source = DispatchSource.makeMemoryPressureSource(
        eventMask: [.warning, .critical], queue: .global(qos: .utility))

    init(_ body: @escaping @Sendable () -> Void) {
        source.setEventHandler(handler: body)
        source.activate()
    }

    deinit { source.cancel() }
}
#else
/// Calls nothing on this system.
struct MemoryPressure: Sendable {
    init(_ body: @escaping @Sendable () -> Void) {}
}
#endif
