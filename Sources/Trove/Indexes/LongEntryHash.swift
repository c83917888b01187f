// The 16 bytes at the end of a long stored entry: MurmurHash3_x64_128, by Austin Appleby, who placed it in the public
// domain (https://github.com/aappleby/smhasher). Stores contain such hashes, so the function never changes.

/// A hash of 128 bits, to distinguish entries with the same head. It is not cryptographic.
struct LongEntryHash {
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private static let factor1: UInt64 = 0x87C3_7B91_1142_53D5
    private static let factor2: UInt64 = 0x4CF5_AD43_2745_937F

    /// Returns the hash of an entry, in its stored byte order.
    static func bytes(of entry: ArraySlice<UInt8>) -> [UInt8] {
        var hash = LongEntryHash()
        var rest = entry
        while rest.count >= 16 {
            hash.add(word(rest.prefix(8)), word(rest.dropFirst(8).prefix(8)))
            rest = rest.dropFirst(16)
        }
        hash.addRest(word(rest.prefix(8)), word(rest.dropFirst(8)), count: rest.count)
        hash.finish(entry.count)
        return [hash.first, hash.second].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    /// Returns up to eight bytes as a number, the lowest first.
    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func add(_ one: UInt64, _ two: UInt64) {
        first ^= Self.mixed1(one)
        first = Self.rotated(first, 27) &+ second
        first = first &* 5 &+ 0x52DC_E729
        second ^= Self.mixed2(two)
        second = Self.rotated(second, 31) &+ first
        second = second &* 5 &+ 0x3849_5AB5
    }

    private mutating func addRest(_ one: UInt64, _ two: UInt64, count: Int) {
        if count > 8 { second ^= Self.mixed2(two) }
        if count > 0 { first ^= Self.mixed1(one) }
    }

    private mutating func finish(_ count: Int) {
        first ^= UInt64(count)
        second ^= UInt64(count)
        first &+= second
        second &+= first
        first = Self.finished(first)
        second = Self.finished(second)
        first &+= second
        second &+= first
    }

    private static func mixed1(_ word: UInt64) -> UInt64 { rotated(word &* factor1, 31) &* factor2 }

    private static func mixed2(_ word: UInt64) -> UInt64 { rotated(word &* factor2, 33) &* factor1 }

    private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }

    private static func finished(_ word: UInt64) -> UInt64 {
        var word = word
        word ^= word >> 33
        word = word &* 0xFF51_AFD7_ED55_8CCD
        word ^= word >> 33
        word = word &* 0xC4CE_B9FE_1A85_EC53
        return word ^ word >> 33
    }
}
