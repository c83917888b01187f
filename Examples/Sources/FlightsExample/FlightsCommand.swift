// The command line of the demo.

import ArgumentParser
import ExampleReport
import Foundation
import Trove

/// Loads flights into a store, and shows queries and changes.
@main
struct FlightsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flights",
        abstract: "A tour of Trove on real data: the flights out of New York City in 2013.",
        discussion: "Without options it loads January into a temporary store, which is gone afterwards.")

    @Option(help: ArgumentHelp("Keep the store here; a second run finds its data loaded.", valueName: "path"))
    var store: String?

    @Option(help: ArgumentHelp("Load the whole year from flights.csv or flights.csv.zip in here.", valueName: "dir"))
    var full: String?

    func run() throws {
        let store =
            try store.map { try Store(path: $0, records: Tour.records) } ?? Store.temporary(records: Tour.records)
        let files = try full.map { try DataFiles.wholeYear(in: URL(filePath: $0)) } ?? DataFiles.january()
        let start = ContinuousClock.now
        let loading = Result { try Loader(store: store).load(files) }
        let cleaningUp = Result { try files.cleanUp() }
        let hasLoaded = try loading.get()
        try cleaningUp.get()

        let report = Report()
        let flights = "\(try Flight.query().count(in: store).grouped) flights out of New York in 2013"
        let place = self.store == nil ? "a temporary store" : store.path
        report.note(
            hasLoaded
                ? "\(flights), loaded in \((ContinuousClock.now - start).short) into \(place)"
                : "\(flights), loaded before into \(place)")
        #if DEBUG
        report.note("Each time below is that of a debug build. `scripts/demo --release` shows those that users see.")
        #endif
        try report.show(Tour.sections, on: store)
    }
}
