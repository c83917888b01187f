// Which thread this is, whether this process was forked off, and a lock that a thread can wait at.

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

/// A mutex with one condition, held only for moments.
///
/// Unchecked because the compiler cannot see that the two pthread objects, which never move, are made for sharing.
@safe final class Monitor: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        lock()
        defer { unlock() }
        return try body()
    }

    func lock() { unsafe pthread_mutex_lock(mutex) }

    func unlock() { unsafe pthread_mutex_unlock(mutex) }

    /// Waits, inside `withLock`, until another thread calls `wakeAll`.
    func wait() {
        unsafe pthread_cond_wait(condition, mutex)
    }

    /// The same, for a limited time; false when it is over.
    func wait(for duration: Duration) -> Bool {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Int64(now.tv_nsec) + attoseconds / 1_000_000_000
        let until = timespec(
            tv_sec: now.tv_sec + Int(seconds) + Int(nanoseconds / 1_000_000_000),
            tv_nsec: Int(nanoseconds % 1_000_000_000))
        return unsafe withUnsafePointer(to: until) { unsafe pthread_cond_timedwait(condition, mutex, $0) } == 0
    }

    func wakeAll() {
        unsafe pthread_cond_broadcast(condition)
    }
}
