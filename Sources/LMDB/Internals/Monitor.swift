// A lock around a state, with a condition variable.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A state for a single thread at a time, locked only for moments.
///
/// `Mutex` has no condition to wait for. Also, the thread sanitizer cannot see it under contention, when the kernel
/// acquires it for the thread.
///
/// Unchecked because two facts are invisible to the compiler: `state` is accessed under the lock alone, and the two
/// pthread objects, which never move, are made for sharing.
@safe @usableFromInline package final class Monitor<State>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    /// Every access is under the lock, so that none overlaps another.
    @exclusivity(unchecked) @usableFromInline var state: State

    /// Creates the monitor of a state.
    package init(_ state: sending State) {
        unsafe self.state = state
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
        unsafe pthread_cond_init(condition, nil)
        #else
        // Timeouts use the monotonic clock: the system clock can be set.
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Calls a closure with the state, under the lock.
    @inlinable package func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        lock()
        defer { unlock() }
        return try unsafe body(&state)
    }

    /// Calls a closure with the state, under the lock, until it returns a result. Between two calls, waits for
    /// `wakeAll`.
    package func wait<R, E: Error>(for attempt: (inout State) throws(E) -> R?) throws(E) -> R {
        lock()
        defer { unlock() }
        while true {
            if let result = try unsafe attempt(&state) { return result }
            unsafe pthread_cond_wait(condition, mutex)
        }
    }

    /// Calls a closure with the state, under the lock, until it returns a result. Returns nil when the limit is over.
    package func wait<R, E: Error>(within limit: Duration, for attempt: (inout State) throws(E) -> R?) throws(E) -> R? {
        let end = ContinuousClock.now + min(limit, .seconds(1 << 32))
        lock()
        defer { unlock() }
        while true {
            if let result = try unsafe attempt(&state) { return result }
            guard wait(until: end) else { return try unsafe attempt(&state) }
        }
    }

    /// Waits for `wakeAll` under the lock. Returns false when the time is over.
    private func wait(until end: ContinuousClock.Instant) -> Bool {
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { return false }
        #if canImport(Darwin)
        var time = timespec(left)
        return unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time) == 0
        #else
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        var time = timespec(left + .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec))
        return unsafe pthread_cond_timedwait(condition, mutex, &time) == 0
        #endif
    }

    /// Wakes every waiting thread to check the state again.
    package func wakeAll() {
        unsafe pthread_cond_broadcast(condition)
    }

    @usableFromInline func lock() { unsafe pthread_mutex_lock(mutex) }

    @usableFromInline func unlock() { unsafe pthread_mutex_unlock(mutex) }
}

extension timespec {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(clamping: seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
