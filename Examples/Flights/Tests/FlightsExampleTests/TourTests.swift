// The demo on its own data: the tour shows correct results, and prints the code that runs.

import Foundation
import Testing
import Trove

@testable import FlightsExample

@Suite struct TourTests {
    @Test(arguments: Tour.sections.map { SectionCase(section: $0) })
    func shownCode_isTheCodeThatRuns(_ example: SectionCase) throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/FlightsExample")
        let text = try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .filter { $0.hasPrefix("Tour+") }
            .map { try String(contentsOf: sources.appending(path: $0), encoding: .utf8) }.joined()
        // Once in the printed string, and once in the closure after it.
        let code = trimmed(example.section.code)
        #expect(trimmed(text).replacing("\\\\.", with: "\\.").ranges(of: code).count == 2)
    }

    @Test func january_isLoadedOnceAndShownAsItIs() throws {
        let store = try Store.temporary()
        let loader = Loader(store: store)
        #expect(try loader.load(.january()))

        // These numbers were counted in the files with other tools.
        #expect(try Airline.query().count(in: store) == 16)
        #expect(try Airport.query().count(in: store) == 1_458)
        #expect(try Plane.query().count(in: store) == 3_322)
        #expect(try Flight.query().count(in: store) == 27_004)
        #expect(try Flight.query(origin: "JFK").count(in: store) == 9_161)
        let day = NewYork.day(15, month: 1)
        #expect(try Flight.query(origin: "JFK", scheduledDeparture: .range(day)).count(in: store) == 282)
        #expect(try FlightByPlane.query().count(in: store) == 26_849)
        #expect(try FlightByPlane.query(tailNumber: "N737MQ").count(in: store) == 66)
        #expect(try FlightByDelay.query().count(in: store) == 26_483)
        #expect(try FlightByDelay.query(delay: .greaterThanOrEqual(60)).count(in: store) == 1_852)

        // A second load finds all records.
        try Airline.delete(in: store, carrier: "AA")
        #expect(try !loader.load(.january()))
        #expect(try Airline.query().count(in: store) == 15)

        for section in Tour.sections {
            let table = try section.run(on: store).table
            #expect(!table.rows.isEmpty, "\(section.title)")
            #expect(table.rows.allSatisfy { $0.count == table.header.count }, "\(section.title)")
        }
        #expect(try Flight.query().count(in: store) == 27_004)
        #expect(try FlightByDelay.query().count(in: store) == 26_483)
    }

    /// Returns the lines of a text without leading and trailing white space.
    private func trimmed(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
}

/// A section, named in the test's output.
struct SectionCase: Sendable, CustomTestStringConvertible {
    let section: Section
    var testDescription: String { section.title }
}
