// The composition of Hangul syllables, which Unicode defines by arithmetic.

/// Hangul jamo and syllables.
enum Hangul {
    private static let syllables: UInt32 = 0xAC00
    private static let leads: UInt32 = 0x1100
    private static let vowels: UInt32 = 0x1161
    private static let tails: UInt32 = 0x11A7

    /// Returns the syllable of a lead and a vowel, or of a syllable without tail and a tail; nil for all other pairs.
    @inline(__always)
    static func compose(_ first: UInt32, _ second: UInt32) -> UInt32? {
        guard second >= vowels, second <= 0x11C2 else { return nil }
        if first &- leads < 19, second &- vowels < 21 {
            return syllables + ((first - leads) * 21 + (second - vowels)) * 28
        }
        let index = first &- syllables
        guard index < 11_172, index % 28 == 0, second > tails else { return nil }
        return first + (second - tails)
    }
}
