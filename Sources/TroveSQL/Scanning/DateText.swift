// The texts of moments and decimal numbers in SQL.
//
//     date    = YYYY-MM-DD " " HH:MM:SS [ "." digits ]     UTC, in the years 0000 to 9999: sorts as the moments do
//             | the text of a dump, without T and Z         other years, infinities
//     decimal = integer | real                              at most 15 significant digits
//             | digits as text                              more digits
//
// The fraction has the fewest digits that identify the moment.

import TroveCoding

/// The texts of moments.
enum DateText {
    /// The seconds since the reference date of the first moment of the year 0000 and of the year 10000. In between,
    /// texts sort as moments do.
    static let regular: Range<Double> = -63_145_526_400..<252_423_993_600

    /// Returns the text of a moment in seconds since the reference date.
    static func text(_ seconds: Double) -> String {
        // The negative zero is the same moment.
        guard let text = ISO8601Text.text(seconds + 0) else { return "\(seconds)" }
        var bytes = Array(text.utf8)
        if let index = bytes.lastIndex(of: UInt8(ascii: "T")) { bytes[index] = UInt8(ascii: " ") }
        if bytes.last == UInt8(ascii: "Z") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the seconds since the reference date of a text: a day, or a day and a time. A time follows `T` or a
    /// space, and has an offset, `Z` or neither. Returns nil for another text.
    static func seconds(_ text: String) -> Double? {
        if let seconds = ISO8601Text.seconds(text) { return seconds }
        var bytes = Array(text.utf8)
        if let index = bytes.firstIndex(of: UInt8(ascii: " ")) { bytes[index] = UInt8(ascii: "T") }
        var full = String(decoding: bytes, as: UTF8.self)
        if !full.contains("T") { full += "T00:00:00" }
        // Without seconds, as SQLite has times of minutes.
        for form in [full, full + "Z", full + ":00", full + ":00Z"] {
            if let seconds = ISO8601Text.seconds(form) { return seconds }
        }
        guard let seconds = Double(text), self.text(seconds) == text else { return nil }
        return seconds
    }
}

/// The values of decimal numbers.
enum DecimalText {
    /// The number of significant digits that a real has exactly both ways.
    private static let exactDigits = 15

    /// Returns whether a text is a decimal number: `[sign] digits [. digits] [e [sign] digits]`, where one of the first
    /// two groups of digits can be empty.
    static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        func dropSign() {
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        }
        func dropDigits() -> Int {
            let count = rest.count
            rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return count - rest.count
        }
        dropSign()
        var digits = dropDigits()
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            digits += dropDigits()
        }
        guard digits > 0 else { return false }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            dropSign()
            guard dropDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// Returns the value of the shortest digits of a number.
    static func value(_ text: String) -> SQLValue {
        if text == "NaN" { return .null }
        var digits = text.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }[...]
        while digits.first == UInt8(ascii: "0") { digits.removeFirst() }
        let isWhole = !text.utf8.contains(UInt8(ascii: "."))
        var significant = digits
        if isWhole { while significant.last == UInt8(ascii: "0") { significant.removeLast() } }
        guard significant.count <= exactDigits else { return .text(text) }
        if isWhole, let number = Int64(text) { return .integer(number) }
        return Double(text).map { .real($0) } ?? .text(text)
    }
}
