// The tour: which sections are shown, in which order.

/// What the demo shows, section by section.
enum Tour {
    static let sections = [
        onePlane, oneDay, names, delayRanges, latest, counts, pages, averages,
        update, rollback, nested,
    ]
}
