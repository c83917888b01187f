// Lines on their way from an async sequence to the thread that loads them.

import LMDB

/// A channel for the lines of an async sequence.
///
/// The task that reads the sequence sends lines, and is suspended while the channel is full. The thread that loads them
/// waits for the next lines.
final class LineChannel: Sendable {
    private struct State {
        var lines: [String] = []
        var hasEnded = false
        /// The error of the sequence.
        var failure: (any Error)?
        /// Whether no line is received any longer.
        var isClosed = false
        /// The suspended sender.
        var sender: CheckedContinuation<Void, Never>?
    }

    private static let capacity = 1024
    private let state = Monitor(State())
    /// The lines received at once, the last first. Only the receiving thread uses them.
    private let received = Monitor<[String]>([])

    /// Sends a line, after the channel has room. Returns false if no line is received any longer.
    func send(_ line: String) async -> Bool {
        let (isFull, isClosed) = state.withLock { state in
            state.lines.append(line)
            return (state.lines.count >= Self.capacity, state.isClosed)
        }
        state.wakeAll()
        guard isFull, !isClosed else { return !isClosed }
        await withCheckedContinuation { continuation in
            let resumes = state.withLock { state in
                if state.isClosed || state.lines.isEmpty { return true }
                state.sender = continuation
                return false
            }
            if resumes { continuation.resume() }
        }
        return !state.withLock(\.isClosed)
    }

    /// Ends the lines, with the error of the sequence if there is one.
    func finish(throwing failure: (any Error)? = nil) {
        let sender = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.hasEnded = true
            state.failure = state.failure ?? failure
            guard state.failure != nil else { return nil }
            // After an error no line is received: the sender must not wait.
            state.isClosed = true
            defer { state.sender = nil }
            return state.sender
        }
        state.wakeAll()
        sender?.resume()
    }

    /// Returns the next line; nil at the end. Waits for the sender.
    func next() throws -> String? {
        try received.withLock { received in
            if let line = received.popLast() { return line }
            received = try receive().reversed()
            return received.popLast()
        }
    }

    /// Returns all lines sent since the last call; no lines at the end.
    private func receive() throws -> [String] {
        let (lines, sender) = try state.wait { state -> ([String], CheckedContinuation<Void, Never>?)? in
            if let failure = state.failure { throw failure }
            guard !state.lines.isEmpty || state.hasEnded else { return nil }
            defer { (state.lines, state.sender) = ([], nil) }
            return (state.lines, state.sender)
        }
        sender?.resume()
        return lines
    }

    /// Ends the receipt of lines: the sender does not wait any longer.
    func close() {
        let sender = state.withLock { state in
            state.isClosed = true
            defer { state.sender = nil }
            return state.sender
        }
        sender?.resume()
    }
}
