// A section of the tour: a heading, the code as text, and the same code as a closure.

import Trove

/// A section of the demo. A test verifies that `code` occurs word for word in the closure that runs.
struct Section: Sendable {
    let title: String
    let code: String
    private let body: @Sendable (Store) throws -> Outcome

    /// Creates a section; only `run` is timed.
    init<Value>(
        _ title: String, code: String, run: @escaping @Sendable (_ store: Store) throws -> Value,
        table: @escaping @Sendable (Value) -> Table
    ) {
        self.title = title
        self.code = code
        body = { store in
            let start = ContinuousClock.now
            let value = try run(store)
            let duration = ContinuousClock.now - start
            return Outcome(table: table(value), duration: duration)
        }
    }

    /// Runs the section's code on a store.
    func run(on store: Store) throws -> Outcome {
        try body(store)
    }
}
