// Days of the proleptic Gregorian calendar.
//
// A year is counted from March to February: then a leap day is the last day of its year, and the days before a month
// follow from its number alone. 400 years have 146,097 days.

/// A day of the Gregorian calendar, extended to all years. The year 0 is the year before the year 1.
struct GregorianDay: Hashable {
    var year: Int
    var month: Int
    var day: Int

    private static let daysPerEra = 146_097
    /// The number of days from March 1 of the year 0 to January 1 of the year 2001.
    private static let reference = 730_791

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the day with a number of days since January 1, 2001.
    init(number: Int) {
        let days = number + Self.reference
        let dayOfEra = ((days % Self.daysPerEra) + Self.daysPerEra) % Self.daysPerEra
        let era = (days - dayOfEra) / Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // March is 0.
        let monthOfYear = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthOfYear + 2) / 5 + 1
        month = monthOfYear < 10 ? monthOfYear + 3 : monthOfYear - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    /// The number of days since January 1, 2001.
    var number: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let yearOfEra = ((marchYear % 400) + 400) % 400
        let era = (marchYear - yearOfEra) / 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.reference
    }
}
