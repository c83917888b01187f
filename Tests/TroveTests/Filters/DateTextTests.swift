// Dates in printed filters, plans and tuples. Foundation's own text of a date traps for a NaN.

import Foundation
import Testing
import Trove
import TroveCoding

@RecordValue
private struct Period: Hashable {
    var begin: Date
    var ends: [Date]
}

@RecordValue
private enum Due: Hashable {
    case never
    case on(Date)
    case between(first: Date, last: Date)
}

@IndexKeyRecord("day", "id")
private struct Visit {
    #Index<Visit>(\.end)
    #Unique<Visit>(\.day, \.end, collisions: .throw)

    let day: Date
    let id: Int
    var end: Date?
    var period: Period
    var due: Due
    var days: [Int: Date]
}

@Suite("Dates as text") struct DateTextTests {
    private static let moments: [(Double, String)] = [
        (0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"),
        (.nan, "Date(timeIntervalSinceReferenceDate: nan)"), (.infinity, "Date(timeIntervalSinceReferenceDate: inf)"),
        (-.infinity, "Date(timeIntervalSinceReferenceDate: -inf)"),
        (1e300, "Date(timeIntervalSinceReferenceDate: 1e+300)"),
        (-1e20, "Date(timeIntervalSinceReferenceDate: -1e+20)"),
    ]

    @Test(arguments: moments) func everyDate_isPrinted(seconds: Double, text: String) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let store = try Store.temporary()
        let filters: [(Filter<Visit>, String)] = [
            (\.day == date, "day == \(text)"), (\.end != date, "end != \(text)"), (\.end >= date, "end >= \(text)"),
            (.within(\.end, [date, nil]), "end within [\(text), nil]"),
            (.between(\.day, date, date), "day between \(text) and \(text)"),
            (\.period == Period(begin: date, ends: [date]), "period == Period(begin: \(text), ends: [\(text)])"),
            (\.due == .on(date), "due == on(\(text))"), (\.due == .never, "due == never"),
            (\.due == .between(first: date, last: date), "due == between(first: \(text), last: \(text))"),
            (\.days == [3: date], "days == [3: \(text)]"),
        ]
        for (filter, text) in filters {
            #expect("\(filter)" == text)
            let plan = try Visit.filter(filter).explain(in: store)
            #expect(plan.contains(text), "\(plan)")
        }
        #expect("\(Tuple(date, 1))" == "(\(text), 1)")
        #expect("\(FieldValue.date(date))" == FieldValue.date(date).json)
        #expect("\(StoredFields([StoredFields.Field("day", .date(date))]))".contains(FieldValue.date(date).json))
        _ = CodingLaws.keyViolations(of: [date, date]) { _, _ in true }
    }
}
