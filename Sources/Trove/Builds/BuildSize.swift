// The limits of an index build.

/// How large the chunks of an index build are, and how long its write transactions take.
struct BuildSize {
    /// The most bytes of entries in a chunk. Sorting takes less than half as much memory again.
    var bytes: Int
    /// How long records are read for a chunk.
    var readTime: Duration
    /// How long a write transaction writes entries. Its commit comes on top.
    var writeTime: Duration
    /// Whether each write transaction is followed by a rest of the same length, in which others can write.
    var rests: Bool
    /// The number of entries that are written between two looks at the clock.
    var block = 256

    /// The smallest chunk for a map that has no room for a larger one.
    static let fewestBytes = 1 << 16
    /// Chunks of twice the size would be sorted half as often, and fill pages better.
    private static let mostBytes = 64 << 20

    /// Returns the limits of a store that reports or ends its old reads. A read takes at most half of the maximum age:
    /// the batch that passes the limit is still read to its end.
    func reading(within maximumAge: Duration?) -> BuildSize {
        var size = self
        if let maximumAge { size.readTime = min(readTime, maximumAge / 2) }
        return size
    }

    /// For a caller that waits for the end.
    static let large = BuildSize(bytes: mostBytes, readTime: .seconds(2), writeTime: .seconds(2), rests: false)
    /// For a background build: the same chunks, in small transactions.
    static let small = BuildSize(bytes: mostBytes, readTime: .seconds(2), writeTime: .milliseconds(5), rests: true)
}
