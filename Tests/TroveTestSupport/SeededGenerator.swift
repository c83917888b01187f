// Random numbers that a failing test can repeat: set TROVE_TEST_SEED to the seed in its message.

import Foundation

/// A generator whose numbers follow from its seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates the generator of a seed.
    public init(seed: UInt64) { state = seed }

    /// The next random number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed &>> 31)
    }

    /// A generator of the seed in TROVE_TEST_SEED (decimal, or hexadecimal behind 0x), else of a random one.
    public static func fromEnvironment() -> (generator: SeededGenerator, seed: UInt64) {
        let text = ProcessInfo.processInfo.environment["TROVE_TEST_SEED"] ?? ""
        let given = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
        let seed = given ?? UInt64.random(in: .min ... .max)
        return (SeededGenerator(seed: seed), seed)
    }
}
