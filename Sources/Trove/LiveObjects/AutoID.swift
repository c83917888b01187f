// Ids that a program makes without the store.
//
//     bit 63   bits 62 to 21             bits 20 to 0
//     0        milliseconds since 1970   a random number          or the last id + 1, if that is greater
//
// The ids of a process ascend, also within a millisecond and when the clock is set back. So a new record comes after
// all stored records, where an insert costs least.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import LMDB
import TroveCoding

/// An id that is made without the store, and is greater than the ids that the process has made before.
///
/// ```swift
/// @IndexKeyRecord("id")
/// struct Post {
///     let id: AutoID
///     var title: String
/// }
///
/// try Post(id: AutoID(), title: "Fairy tale").insert(in: store, onConflict: .throw)
/// ```
///
/// An id is stored as a `UInt64`. It is below 2⁶³, so it also fits in an `Int64`. Two processes that make an id in the
/// same millisecond make equal ids with a probability of 1 : 2,000,000. An insert with the rule
/// ``ConflictRule/throw`` throws an error for an id that is stored already.
public struct AutoID: RawRepresentable, KeyComponent, Codable, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: UInt64

    /// Creates an id with a number.
    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Creates an id with a number, such as the id of a record of another system.
    @inlinable
    public init(integerLiteral value: UInt64) { rawValue = value }

    /// Makes a new id.
    ///
    /// - Complexity: O(1). Takes a lock for some nanoseconds.
    public init() {
        rawValue = AutoIDSource.shared.withLock { $0.next(at: Date(), random: .random(in: .min ... .max)) }
    }

    /// Makes a new id at a random distance from the last one, for a record whose first id is taken.
    ///
    /// The id after a taken one is often taken too: another process may have made many in a row.
    static func leavingGap() -> AutoID {
        AutoID(rawValue: AutoIDSource.shared.withLock { $0.leaveGap(random: .random(in: .min ... .max)) })
    }
}

extension AutoID: Comparable {
    /// Returns whether an id is the smaller one: made earlier, if the process has made both.
    @inlinable
    public static func < (left: AutoID, right: AutoID) -> Bool { left.rawValue < right.rawValue }
}

extension AutoID: LosslessStringConvertible {
    /// The number in decimal digits.
    public var description: String { "\(rawValue)" }

    /// Creates the id with a number in decimal digits; nil for any other text.
    public init?(_ description: String) {
        guard let rawValue = UInt64(description) else { return nil }
        self.init(rawValue: rawValue)
    }
}

/// The source of the ids of a process.
struct AutoIDSource {
    /// The source of ``AutoID/init()``.
    static let shared = Monitor(AutoIDSource())

    /// The number of random bits.
    private static let randomBits: UInt64 = 21

    /// The greatest time. The ids of 17 minutes are left for a clock that does not move.
    private static let lastMillisecond = Double(UInt64(1) << 42 - 1 << 20)

    /// The last number.
    private var last: UInt64 = 0

    /// Returns a number above all earlier ones.
    ///
    /// - Parameters:
    ///   - date: The time. Times before 1970 count as the first moment of 1970, and times after 2109 as the last of
    ///     2109.
    ///   - random: A random number.
    mutating func next(at date: Date, random: UInt64) -> UInt64 {
        let milliseconds = min(max(0, date.timeIntervalSince1970 * 1000), Self.lastMillisecond)
        let drawn = UInt64(milliseconds) << Self.randomBits | random >> (64 - Self.randomBits)
        last = max(drawn, last + 1)
        return last
    }

    /// Returns a number above all earlier ones, at a random distance.
    mutating func leaveGap(random: UInt64) -> UInt64 {
        last += 1 + random >> (64 - Self.randomBits)
        return last
    }
}
