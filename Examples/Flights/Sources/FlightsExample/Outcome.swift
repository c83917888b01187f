// The outcome of a section of the tour.

/// The result of a section and the duration of its code.
struct Outcome {
    let table: Table
    let duration: Duration
}
