// The state of a task that waits to be woken: a part of its point's state, under the lock of the owner.

/// The state of a point where a single task waits until it is woken.
enum WakeState {
    case idle
    case waiting(CheckedContinuation<Void, Never>)
    /// Woken while no task was waiting: the next one does not wait.
    case woken

    /// Lets a task wait.
    ///
    /// - Returns: The task to resume, without the lock: this one if it was woken before, and one that waits already.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) -> CheckedContinuation<Void, Never>? {
        switch self {
        case .idle:
            self = .waiting(continuation)
            return nil
        case .waiting(let other):
            self = .waiting(continuation)
            return other
        case .woken:
            self = .idle
            return continuation
        }
    }

    /// Lets the waiting task go on, or the next one that waits.
    ///
    /// - Returns: The task to resume, without the lock.
    mutating func wake() -> CheckedContinuation<Void, Never>? {
        guard case .waiting(let continuation) = self else {
            self = .woken
            return nil
        }
        self = .idle
        return continuation
    }
}
