// Dates as ISO 8601, exact to the last bit of their seconds.
//
//     text = year "-" month "-" day "T" hour ":" minute ":" second ("." digits)? ("Z" | offset)
//     year = four digits, from 0000 to 9999 | sign and six digits, for the other years
//
// The calendar is the proleptic Gregorian calendar, also before 1582. The year 0000 is the year before the year 0001.
//
// A second is split into its digits as text, since arithmetic would round. The digits are the shortest that identify
// the Double: reading them returns the same Double.

package enum ISO8601Text {
    private static let secondsPerDay = 86_400
    private static let lastYear = 999_999
    /// The seconds of the years with a text.
    private static let seconds =
        Double(
            GregorianDay(year: -lastYear, month: 1, day: 1).number * secondsPerDay)..<Double(
            GregorianDay(year: lastYear + 1, month: 1, day: 1).number * secondsPerDay)

    /// Returns the text of a moment in seconds since the reference date. Returns nil beyond these years, and for the
    /// negative zero.
    package static func text(_ seconds: Double) -> String? {
        guard Self.seconds.contains(seconds), !(seconds == 0 && seconds.sign == .minus) else { return nil }
        let whole = Int(seconds.rounded(.down))
        let second = ((whole % secondsPerDay) + secondsPerDay) % secondsPerDay
        let day = GregorianDay(number: (whole - second) / secondsPerDay)
        let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
        let digits = decimalPlaces(of: seconds.magnitude).utf8.map { $0 - UInt8(ascii: "0") }
        let places = digits.isEmpty ? "" : "." + Self.text(seconds < 0 ? complement(digits) : digits)
        return "\(year(day.year))-\(padded(day.month, 2))-\(padded(day.day, 2))T\(time)\(places)Z"
    }

    /// Returns the seconds since the reference date; nil if the text is not a date.
    package static func seconds(_ text: String) -> Double? {
        var cursor = DigitCursor(text)
        guard let day = day(&cursor), cursor.take("T"), let hour = cursor.number(ofDigits: 2), cursor.take(":"),
            let minute = cursor.number(ofDigits: 2), cursor.take(":"), let second = cursor.number(ofDigits: 2),
            hour < 24, minute < 60, second < 60
        else { return nil }
        var digits: [UInt8] = []
        if cursor.take(".") {
            digits = cursor.digits()
            guard !digits.isEmpty else { return nil }
        }
        guard let offset = offset(&cursor), cursor.isAtEnd else { return nil }
        let whole = day * secondsPerDay + hour * 3600 + minute * 60 + second - offset
        guard let last = digits.lastIndex(where: { $0 != 0 }) else { return Double(whole) }
        digits.removeLast(digits.count - 1 - last)
        guard whole < 0 else { return Double("\(whole).\(Self.text(digits))") }
        return Double("-\(-(whole + 1)).\(Self.text(complement(digits)))")
    }

    /// Reads a day, and returns the number of days since the reference date; nil for another text.
    private static func day(_ cursor: inout DigitCursor) -> Int? {
        let isNegative = cursor.takeSign()
        guard let digits = cursor.number(ofDigits: isNegative == nil ? 4 : 6), cursor.take("-"),
            let month = cursor.number(ofDigits: 2), cursor.take("-"), let dayOfMonth = cursor.number(ofDigits: 2),
            isNegative != true || digits > 0
        else { return nil }
        let day = GregorianDay(year: isNegative == true ? -digits : digits, month: month, day: dayOfMonth)
        // A day that does not exist is read as another day.
        return GregorianDay(number: day.number) == day ? day.number : nil
    }

    /// Reads `Z`, `+02:00` or `-0530`, and returns the seconds; nil for another text.
    private static func offset(_ cursor: inout DigitCursor) -> Int? {
        if cursor.take("Z") { return 0 }
        guard let isNegative = cursor.takeSign(), let hours = cursor.number(ofDigits: 2) else { return nil }
        _ = cursor.take(":")
        guard let minutes = cursor.number(ofDigits: 2), hours < 24, minutes < 60 else { return nil }
        return (isNegative ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private static func text(_ digits: [UInt8]) -> String {
        String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
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

    /// Returns the digits after the point of 1 minus 0.`digits`. The last digit must not be zero.
    private static func complement(_ digits: [UInt8]) -> [UInt8] {
        digits.dropLast().map { 9 - $0 } + digits.suffix(1).map { 10 - $0 }
    }
}
