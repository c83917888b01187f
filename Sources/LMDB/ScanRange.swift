// A range of keys, and the direction in which to scan it.

/// The keys from `lower` (inclusive) to `upper` (exclusive), in either direction.
public struct ScanRange: Hashable, Sendable {
    /// The first key of the range; empty for the beginning of the database.
    public var lower: [UInt8]
    /// The first key after the range; nil for the end of the database.
    public var upper: [UInt8]?
    /// Whether the scan goes from the greatest key to the least.
    public var isDescending: Bool

    /// Creates a range. The default is all keys in ascending order.
    public init(from lower: [UInt8] = [], upTo upper: [UInt8]? = nil, isDescending: Bool = false) {
        self.lower = lower
        self.upper = upper
        self.isDescending = isDescending
    }
}
