// New York's local time: the data has instants in UTC, and the demo shows local days.

import Foundation

/// The calendar of the departure airports.
enum NewYork {
    static let timeZone = TimeZone(identifier: "America/New_York") ?? .gmt

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar
    }()

    private static let clock = Date.ISO8601FormatStyle(
        dateSeparator: .dash, dateTimeSeparator: .space, timeSeparator: .colon, timeZone: timeZone
    ).year().month().day().time(includingFractionalSeconds: false)

    /// Returns the instants of a local day of 2013, from midnight up to the next midnight.
    static func day(_ day: Int, month: Int) -> Range<Date> {
        let components = DateComponents(year: 2013, month: month, day: day)
        guard let start = calendar.date(from: components), let end = calendar.date(byAdding: .day, value: 1, to: start)
        else { return Date.distantPast..<Date.distantPast }
        return start..<end
    }

    /// Returns the local date and time, to the minute.
    static func text(_ date: Date) -> String {
        String(date.formatted(clock).prefix(16))
    }
}
