// Classes of the lengths of texts: a byte for a length, exact up to 16 words, then in steps of an eighth.
//
//     low(0) = 0      low(c + 1) = max(low(c) + 1, low(c) · 9 / 8 rounded down)
//
// Stores contain such classes, so the classes never change.

/// The classes of lengths.
enum LengthClass {
    /// The class of the greatest lengths, and the bound of no lengths.
    static let greatest: UInt8 = 255

    /// The least length of each class.
    private static let lows: [UInt64] = (0..<255).reduce(into: [0]) { lows, last in
        lows.append(max(lows[last] + 1, lows[last] * 9 / 8))
    }

    /// Returns the least length of a class.
    static func leastLength(of lengthClass: UInt8) -> UInt64 { lows[Int(lengthClass)] }

    /// Returns the class of a length.
    static func of(_ length: UInt64) -> UInt8 {
        if length <= 16 { return UInt8(length) }
        var (low, high) = (16, 255)
        while low < high {
            let middle = (low + high + 1) / 2
            if lows[middle] <= length { low = middle } else { high = middle - 1 }
        }
        return UInt8(low)
    }
}
