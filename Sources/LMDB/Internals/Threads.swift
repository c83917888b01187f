// Which thread this is, and whether this process was forked off.

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A number that tells the running threads of this process apart; never 0.
@inline(__always)
package func currentThread() -> UInt {
    #if canImport(Darwin)
    unsafe UInt(bitPattern: pthread_self())
    #else
    UInt(pthread_self())
    #endif
}

/// How many times this process was forked off since it first opened an environment.
///
/// liblmdb's reader slots and locks belong to the process that took them; a child that uses them corrupts its parent.
/// The count, kept by `pthread_atfork`, lets every entry refuse in the child. The registry's lock is held across the
/// fork, so that the child, which may open environments of its own, never inherits it from a thread that it has not.
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

    /// Starts counting, and gives the count.
    static func register() -> Int {
        _ = registration
        return current
    }

    @inline(__always)
    static var current: Int { generation.load(ordering: .relaxed) }
}
