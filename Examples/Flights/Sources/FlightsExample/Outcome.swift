// The outcome of a section of the tour.

/// The result of a section: a text, such as the plan of a query, and a table.
struct Outcome {
    let text: String?
    let table: Table
}
