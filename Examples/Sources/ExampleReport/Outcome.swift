// The outcome of a section of a demo.

/// The result of a section: a text, such as the plan of a query, and a table.
package struct Outcome {
    package let text: String?
    package let table: Table
}
