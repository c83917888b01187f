// The progress of loading text.

/// The progress of loading text into a store.
public struct LoadProgress: Hashable, Sendable {
    /// The number of lines read so far.
    public var lines = 0
    /// The number of records stored so far.
    public var records = 0

    /// The number of lines from one report to the next.
    static let step = 1000
}
