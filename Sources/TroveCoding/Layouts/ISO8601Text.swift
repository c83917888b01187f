// Dates as ISO 8601, exact to the last bit of their seconds.
//
//     text = day "T" time ("." digits)? ("Z" | offset)
//
// A second is split into its digits as text, since arithmetic would round. The digits are the shortest that identify
// the Double: reading them returns the same Double.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum ISO8601Text {
    /// From the year 1 to the year 9986.
    private static let years = -63_114_076_800.0..<252_000_000_000.0

    /// Returns the text of a moment in seconds since the reference date. Returns nil beyond these years, and for the
    /// negative zero.
    static func text(_ seconds: Double) -> String? {
        guard years.contains(seconds), !(seconds == 0 && seconds.sign == .minus) else { return nil }
        let second = Date(timeIntervalSinceReferenceDate: seconds.rounded(.down)).formatted(.iso8601)
        let digits = decimalPlaces(of: seconds.magnitude)
        guard !digits.isEmpty else { return second }
        return second.dropLast() + "." + (seconds < 0 ? complement(digits) : digits) + "Z"
    }

    /// Returns the seconds since the reference date; nil if the text is not a date.
    static func seconds(_ text: String) -> Double? {
        let pattern = /([-0-9]+T[:0-9]+)(?:\.([0-9]+))?(Z|[-+][0-9]{2}:?[0-9]{2})/
        guard let (_, second, places, zone) = text.wholeMatch(of: pattern)?.output,
            let date = try? Date(String(second + zone), strategy: .iso8601)
        else { return nil }
        let digits = String(places ?? "")
        let whole = Int(date.timeIntervalSinceReferenceDate)
        guard whole < 0, digits.contains(where: { $0 != "0" }) else { return Double("\(whole).\(digits)0") }
        return Double("-\(-(whole + 1)).\(complement(digits))")
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
