// A value that arrives later: a reply of the browser, or the end of a load.

import Synchronization

/// A value that is set once. Its readers wait for it, for a limited time.
final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var readers: [CheckedContinuation<Value, any Error>] = []
    }

    private let state = Mutex(State())

    /// Sets the value, unless it is set.
    func resolve(_ result: Result<Value, any Error>) {
        let readers = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
            guard state.result == nil else { return [] }
            state.result = result
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.resume(with: result) }
    }

    /// Returns the value, when it is set.
    ///
    /// - Parameter event: The text of the error after a minute without a value: a page that never loads fails its test.
    func value(of event: String) async throws -> Value {
        let patience = Task {
            try await Task.sleep(for: .seconds(60))
            resolve(.failure(BrowserError("waits for \(event)")))
        }
        defer { patience.cancel() }
        return try await withCheckedThrowingContinuation { reader in
            let result = state.withLock { state -> Result<Value, any Error>? in
                if state.result == nil { state.readers.append(reader) }
                return state.result
            }
            if let result { reader.resume(with: result) }
        }
    }
}
