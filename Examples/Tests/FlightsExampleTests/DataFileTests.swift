// Faulty data files are refused, with the position of the error.

import ExampleReport
import Foundation
import Testing

@testable import FlightsExample

@Suite struct DataFileTests {
    @Test func wrongCell_isNamed() throws {
        let row = CSVRow(file: "a.csv", number: 3, columns: ["x": 0, "y": 1], cells: ["NA", "seven"])
        #expect(try row.optionalText("x") == nil)
        #expect(throws: DataFileError.self) { try row.text("x") }
        let error = #expect(throws: DataFileError.self) { try row.optional("y", as: Int.self) }
        #expect(error?.description == "a.csv, row 3: column \"y\" cannot be \"seven\"")
        #expect(throws: DataFileError.self) { try row.text("z") }
    }

    @Test func errorInARow_endsTheReading() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).csv")
        try Data("a,b\n1,2\nx,4\n5,6\n".utf8).write(to: file)
        var seen: [Int] = []
        let error = #expect(throws: DataFileError.self) {
            try CSVFile(file).forEach { row in seen.append(try row.number("a")) }
        }
        try FileManager.default.removeItem(at: file)
        #expect(seen == [1])
        #expect(error?.description.contains("row 2") == true)
    }

    @Test func wholeYear_needsItsFiles() {
        let nowhere = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        #expect(throws: DataFileError.self) { try DataFiles.wholeYear(in: nowhere) }
    }

    @Test func dayInNewYork_followsItsClock() {
        #expect(NewYork.day(15, month: 1).lowerBound == Date(timeIntervalSince1970: 1_358_226_000))
        #expect(NewYork.day(10, month: 3).lowerBound.distance(to: NewYork.day(10, month: 3).upperBound) == 23 * 3_600)
        #expect(NewYork.text(Date(timeIntervalSince1970: 1_358_256_600)) == "2013-01-15 08:30")
    }

    @Test func table_alignsNumbersToTheRight() {
        let table = Table(["name", "n"], rows: [["a", "1"], ["bc", "1,000"]])
        #expect(table.lines == ["name      n", "────  ─────", "a         1", "bc    1,000"])
        let durations = Table(["took", "n"], rows: [["9.5 ms", "x"], ["12.0 ms", "1"]])
        #expect(durations.lines == ["   took  n", "───────  ─", " 9.5 ms  x", "12.0 ms  1"])
    }

    @Test func longLine_isBrokenAfterItsColonOrBetweenWords() {
        let long = String(repeating: "word ", count: 14)
        #expect(Report.wrapped("  scan: all") == ["  scan: all"])
        #expect(Report.wrapped("  a range: \(long)x") == ["  a range:", "      \(long)x"])
        #expect(
            Report.wrapped("  a: \(long)and \(long)end").map(\.count).allSatisfy { $0 <= Report.width })
        #expect(Report.wrapped("  \(long)\(long)end").joined().split(separator: " ").count == 29)
    }
}
