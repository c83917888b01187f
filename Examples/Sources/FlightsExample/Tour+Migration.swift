// The part of the tour with a migration: the next release of the program opens a copy of the store.

import ExampleReport
import Foundation
import Trove

extension Tour {
    static let migration = Section(
        "The next release declares flights differently, and opens the store",
        code: """
            // A copy, because this release opens the store again.
            try store.copy(to: path)
            let plan = try Store(path: path)
                .migrationPlan(for: [NextRelease.Flight.self])
            let opened = try timed {
                try Store(path: path, records: [NextRelease.Flight.self])
            }
            let late = NextRelease.Flight.filter(\\.destination == "HNL")
                .sorted(by: \\.departureDelay.desc).limit(3)
            let flights = try late.resolve(in: opened.value)
            """,
        run: flightsOfTheNextRelease,
        text: { "\($0.plan)\nopened and migrated in \($0.opening.short)" }
    ) { result in
        Table(
            ["departure", "flight", "plane", "miles", "gate", "codeshare", "minutes late"],
            rows: result.flights.map {
                [
                    NewYork.text($0.scheduledDeparture), "\($0.carrier) \($0.number)", $0.plane ?? "–",
                    "\($0.miles)", $0.gate ?? "–", $0.isCodeshare ? "yes" : "no", text($0.departureDelay),
                ]
            })
    }

    private static func flightsOfTheNextRelease(
        in store: Store
    ) throws -> (plan: MigrationPlan, opening: Duration, flights: [NextRelease.Flight]) {
        let directory = FileManager.default.temporaryDirectory.appending(path: "flights-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "flights.trove").path

        // A copy, because this release opens the store again.
        try store.copy(to: path)
        let plan = try Store(path: path)
            .migrationPlan(for: [NextRelease.Flight.self])
        let opened = try timed {
            try Store(path: path, records: [NextRelease.Flight.self])
        }
        let late = NextRelease.Flight.filter(\.destination == "HNL")
            .sorted(by: \.departureDelay.desc).limit(3)
        let flights = try late.resolve(in: opened.value)
        return (plan, opened.duration, flights)
    }
}
