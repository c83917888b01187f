// Dates as ISO 8601, exact to the last bit of their seconds.
//
//     text = year "-" month "-" day "T" hour ":" minute ":" second ("." digits)? ("Z" | offset)
//     year = four digits, from 0000 to 9999 | sign and six digits, for the other years
//
// The calendar is the proleptic Gregorian calendar, also before 1582. The year 0000 is the year before the year 0001.
//
// A second is split into its digits as text, since arithmetic would round. The digits are the shortest that identify
// the Double: reading them returns the same Double.

enum ISO8601Text {
    private static let secondsPerDay = 86_400
    private static let lastYear = 999_999
    /// The seconds of the years with a text.
    private static let seconds =
        Double(
            GregorianDay(year: -lastYear, month: 1, day: 1).number * secondsPerDay)..<Double(
            GregorianDay(year: lastYear + 1, month: 1, day: 1).number * secondsPerDay)

    /// Returns the text of a moment in seconds since the reference date. Returns nil beyond these years, and for the
    /// negative zero.
    static func text(_ seconds: Double) -> String? {
        guard Self.seconds.contains(seconds), !(seconds == 0 && seconds.sign == .minus) else { return nil }
        let whole = Int(seconds.rounded(.down))
        let second = ((whole % secondsPerDay) + secondsPerDay) % secondsPerDay
        let day = GregorianDay(number: (whole - second) / secondsPerDay)
        let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
        let digits = decimalPlaces(of: seconds.magnitude)
        let places = digits.isEmpty ? "" : "." + (seconds < 0 ? complement(digits) : digits)
        return "\(year(day.year))-\(padded(day.month, 2))-\(padded(day.day, 2))T\(time)\(places)Z"
    }

    /// Returns the seconds since the reference date; nil if the text is not a date.
    static func seconds(_ text: String) -> Double? {
        let pattern =
            /([-+][0-9]{6}|[0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(.+)/
        guard let parts = text.wholeMatch(of: pattern)?.output, parts.1 != "-000000",
            let year = Int(parts.1), let month = Int(parts.2), let dayOfMonth = Int(parts.3),
            let hour = Int(parts.4), let minute = Int(parts.5), let second = Int(parts.6),
            hour < 24, minute < 60, second < 60, let offset = offset(parts.8)
        else { return nil }
        let day = GregorianDay(year: year, month: month, day: dayOfMonth)
        // A day that does not exist is read as another day.
        guard GregorianDay(number: day.number) == day else { return nil }
        let whole = day.number * secondsPerDay + hour * 3600 + minute * 60 + second - offset
        let digits = String(parts.7 ?? "")
        guard whole < 0, digits.contains(where: { $0 != "0" }) else { return Double("\(whole).\(digits)0") }
        return Double("-\(-(whole + 1)).\(complement(digits))")
    }

    /// Returns the seconds of `Z`, `+02:00` or `-0530`; nil for other text.
    private static func offset(_ text: Substring) -> Int? {
        if text == "Z" { return 0 }
        guard let parts = text.wholeMatch(of: /([-+])([0-9]{2}):?([0-9]{2})/)?.output, let hours = Int(parts.2),
            let minutes = Int(parts.3), hours < 24, minutes < 60
        else { return nil }
        return (parts.1 == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private static func year(_ year: Int) -> String {
        (0...9999).contains(year) ? padded(year, 4) : (year < 0 ? "-" : "+") + padded(year.magnitude, 6)
    }

    private static func padded(_ number: some BinaryInteger, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Returns the digits after the point of a number that is not negative: the shortest that identify it.
    private static func decimalPlaces(of number: Double) -> String {
        let parts = "\(number)".split(separator: "e")
        let digits = parts[0].split(separator: ".")
        var places = digits.dropFirst().filter { $0 != "0" }.joined()
        if parts.count == 2, let exponent = Int(parts[1]), exponent < 0 {
            places = String(repeating: "0", count: -exponent - 1) + digits[0] + places
        }
        return places
    }

    /// Returns the digits after the point of 1 minus 0.`digits`. Not all digits may be zeros.
    private static func complement(_ digits: String) -> String {
        let kept = digits.prefix(through: digits.lastIndex { $0 != "0" } ?? digits.startIndex)
        return kept.dropLast().map { "\(9 - ($0.wholeNumberValue ?? 0))" }.joined()
            + "\(10 - (kept.last?.wholeNumberValue ?? 0))"
    }
}
