// The sections of the tour, in order.

import Trove

/// The demo's sections.
enum Tour {
    /// The record types in the demo's store. Their indexes are built when the store opens, and kept by each write.
    static let records: [any IndexKeyRecord.Type] = [
        Airline.self, Airport.self, Flight.self, LoadedFile.self, Plane.self,
    ]

    static let sections = [
        oneDay, names, pages, averages,
        onePlane, latest, conditions, comparison, delayRanges,
        report, costs,
        unique, update, rollback, nested,
        migration,
    ]
}
