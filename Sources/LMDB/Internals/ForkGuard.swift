// Detection of forks.

import Synchronization
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The number of forks of this process since it first opened an environment.
///
/// liblmdb's reader slots and locks belong to the process that took them; their use in a child corrupts the parent.
/// `pthread_atfork` keeps the count, and every entry point refuses calls in the child. The registry's lock is held
/// across the fork. So the child, which may open environments of its own, never inherits the lock in a locked state.
enum ForkGuard {
    private static let generation = Atomic<Int>(0)

    private static let registration: Void = {
        _ = pthread_atfork(
            { EnvironmentRegistry.shared.lockForFork() },
            { EnvironmentRegistry.shared.unlockAfterFork() },
            {
                ForkGuard.generation.wrappingAdd(1, ordering: .relaxed)
                EnvironmentRegistry.shared.unlockAfterFork()
            })
    }()

    /// Starts the count if necessary, and returns it.
    static func register() -> Int {
        _ = registration
        return current
    }

    @inline(__always)
    static var current: Int { generation.load(ordering: .relaxed) }
}
