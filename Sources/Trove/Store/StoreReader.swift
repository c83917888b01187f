// A reader of a store, in any process.

/// A reader slot of a store, taken by a process.
public struct StoreReader: Hashable, Sendable, Encodable {
    /// The process identifier.
    public var process: Int
    /// The number of commits since the reader's snapshot; nil if the slot has no open read.
    public var commitsBehind: Int?
}
