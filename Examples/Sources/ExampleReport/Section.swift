// A section of a demo: a heading, the code as text, and the same code as a closure.

import Trove

/// A section of a demo. A test verifies that `code` occurs word for word in the closure that runs.
package struct Section: Sendable {
    package let title: String
    package let code: String
    private let body: @Sendable (Store) throws -> Outcome

    /// Creates a section from its code and the form of its result.
    ///
    /// - Parameters:
    ///   - title: The heading.
    ///   - code: The text of the code.
    ///   - run: The same code.
    ///   - text: Returns the text to print above the table, such as the plan of a query.
    ///   - table: Returns the result as a table.
    package init<Value>(
        _ title: String, code: String, run: @escaping @Sendable (_ store: Store) throws -> Value,
        text: @escaping @Sendable (Value) -> String? = { _ in nil },
        table: @escaping @Sendable (Value) -> Table
    ) {
        self.title = title
        self.code = code
        body = { store in
            let value = try run(store)
            return Outcome(text: text(value), table: table(value))
        }
    }

    /// Runs the section's code on a store.
    package func run(on store: Store) throws -> Outcome {
        try body(store)
    }
}
