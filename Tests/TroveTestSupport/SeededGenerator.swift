// Repeatable random numbers: to repeat a failing test, set TROVE_TEST_SEED to the seed in its message.

import Foundation

/// A generator of random numbers from a seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator from a seed.
    public init(seed: UInt64) { state = seed }

    /// Returns the next random number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed &>> 31)
    }

    /// Returns a generator with the seed in TROVE_TEST_SEED (decimal, or hexadecimal after 0x), or else with a random
    /// seed.
    public static func fromEnvironment() -> (generator: SeededGenerator, seed: UInt64) {
        let text = ProcessInfo.processInfo.environment["TROVE_TEST_SEED"] ?? ""
        let given = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
        let seed = given ?? UInt64.random(in: .min ... .max)
        return (SeededGenerator(seed: seed), seed)
    }
}
