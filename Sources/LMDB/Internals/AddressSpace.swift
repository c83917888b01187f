// The address space of this process, as far as maps take it.
//
// A map reserves addresses, not memory. Most maps could be of any size, but all maps of a process and its memory share
// one address space: 128 TiB on most systems, less on some, and less with a limit (`ulimit -v`). So an automatic map
// takes only a part of a share, and a full map grows (SharedEnvironment+Map.swift).
//
//     share = half of the largest block of addresses that the system grants at the first automatic map
//     rest  = share - all maps of this process
//     map   = at most rest² / (16 · share)
//
// The rule follows from two demands: a program with few files has large maps, and the maps of any number of files stay
// within the share. With n maps by the rule, a share of 32 TiB leaves room for maps of about 512 / n² TiB: 1 TiB each
// for the first 10, and about 130 MiB for the 2,000th.

import Synchronization

/// The share of the address space for automatic maps, and the size of all maps of this process.
package final class AddressSpace: Sendable {
    static let shared = AddressSpace(share: largestGrant(upTo: 1 << 46) / 2)

    private let share: Int
    /// The number of bytes of all maps, automatic or not.
    private let mapped = Atomic<Int>(0)

    init(share: Int) { self.share = share }

    /// Adds the size of a new map, or the change of the size of a map.
    func note(_ change: Int) { mapped.wrappingAdd(change, ordering: .relaxed) }

    /// Returns the size of the next automatic map.
    ///
    /// - Parameter preferred: The largest size to return.
    func automaticSize(preferring preferred: Int) -> Int {
        let rest = max(share - mapped.load(ordering: .relaxed), 0)
        // Divided first, since the square of the rest exceeds the range of integers.
        let limit = Int(Double(rest) / Double(max(share, 1)) * Double(rest) / 16)
        return min(preferred, limit)
    }

    /// Whether the system gives an app a few gigabytes of addresses only, unless it has an entitlement.
    package static let isSmall: Bool = {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        true
        #else
        false
        #endif
    }()

    /// Returns how a process gets more addresses, as the end of a sentence.
    package static func advice(isSmall: Bool = isSmall) -> String {
        isSmall
            ? "give the app the entitlement Extended Virtual Addressing (\(entitlement))"
            : "raise the limit of the process (ulimit -v)"
    }

    private static let entitlement = "com.apple.developer.kernel.extended-virtual-addressing"

    /// Returns the largest power of two of bytes that the system would grant, up to a power of two.
    static func largestGrant(upTo most: Int) -> Int {
        var size = most
        while size > 1 << 20, !SharedEnvironment.canMap(size) { size /= 2 }
        return size
    }
}
