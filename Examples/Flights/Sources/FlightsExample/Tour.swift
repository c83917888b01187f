// The sections of the tour, in order.

/// The demo's sections.
enum Tour {
    static let sections = [
        onePlane, oneDay, names, delayRanges, latest, counts, pages, averages,
        update, rollback, nested,
    ]
}
