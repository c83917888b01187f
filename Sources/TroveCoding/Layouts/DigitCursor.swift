// A position in the bytes of a text, for the parsers of dates and numbers. A `Regex` is some thousand times slower.

/// A position in the ASCII characters of a text.
struct DigitCursor {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Whether all characters were taken.
    var isAtEnd: Bool { position == bytes.count }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Moves past a character, and returns whether it came next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Moves past a sign. Returns whether it was a minus; nil if no sign came next.
    mutating func takeSign() -> Bool? { take("-") ? true : take("+") ? false : nil }

    /// Moves past a number of exactly `count` digits, at most 18, and returns it; nil if there are fewer digits.
    mutating func number(ofDigits count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = takeDigit() else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }

    /// Moves past all digits that come next, and returns their values.
    mutating func digits() -> [UInt8] {
        var digits: [UInt8] = []
        while let digit = takeDigit() { digits.append(digit) }
        return digits
    }

    /// Moves past all digits that come next, and returns whether there was one.
    mutating func skipDigits() -> Bool {
        let start = position
        while takeDigit() != nil {}
        return position > start
    }

    /// Moves past the fraction and the exponent of a number, if there are any. Returns false if one lacks its digits.
    mutating func skipFractionAndExponent() -> Bool {
        if take("."), !skipDigits() { return false }
        guard take("e") || take("E") else { return true }
        _ = takeSign()
        return skipDigits()
    }

    private mutating func takeDigit() -> UInt8? {
        guard let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) else { return nil }
        position += 1
        return next - UInt8(ascii: "0")
    }
}
