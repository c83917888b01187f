// Dates as ISO 8601, to the last bit of their seconds.
//
//     text = day "T" time ("." digits)? ("Z" | offset)
//
// A second is cut into its digits as a text, never as a number, which would round it: the digits are the fewest that
// tell the Double from all others, and reading them gives that Double.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum ISO8601Text {
    /// From the year 1 to the year 9986.
    private static let years = -63_114_076_800.0..<252_000_000_000.0

    /// The text of a moment, given in seconds since the reference date; nil for one that has none: beyond these years,
    /// or the zero with a sign.
    static func text(_ seconds: Double) -> String? {
        guard years.contains(seconds), !(seconds == 0 && seconds.sign == .minus) else { return nil }
        let second = Date(timeIntervalSinceReferenceDate: seconds.rounded(.down)).formatted(.iso8601)
        let digits = decimalPlaces(of: seconds.magnitude)
        guard !digits.isEmpty else { return second }
        return second.dropLast() + "." + (seconds < 0 ? complement(digits) : digits) + "Z"
    }

    /// The seconds since the reference date; nil where the text is no date.
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

    /// The digits behind the point of a number that is not negative, as few as tell it from all others.
    private static func decimalPlaces(of number: Double) -> String {
        let parts = "\(number)".split(separator: "e")
        let digits = parts[0].split(separator: ".")
        var places = digits.dropFirst().filter { $0 != "0" }.joined()
        if parts.count == 2, let exponent = Int(parts[1]), exponent < 0 {
            places = String(repeating: "0", count: -exponent - 1) + digits[0] + places
        }
        return places
    }

    /// The digits behind the point of 1 less what these say; not all of them are zeros.
    private static func complement(_ digits: String) -> String {
        let kept = digits.prefix(through: digits.lastIndex { $0 != "0" } ?? digits.startIndex)
        return kept.dropLast().map { "\(9 - ($0.wholeNumberValue ?? 0))" }.joined()
            + "\(10 - (kept.last?.wholeNumberValue ?? 0))"
    }
}
