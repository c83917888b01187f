// The limits of an index build.

/// The size of an index build's chunks, and the duration of its transactions.
struct BuildSize {
    /// The maximum size of a chunk's entries in bytes. Sorting takes less than half as much memory in addition.
    var bytes: Int
    /// The maximum duration of the reads for a chunk.
    var readTime: Duration
    /// The maximum duration of a write transaction, without its commit.
    var writeTime: Duration
    /// Whether a pause of the same length follows each write transaction, so that others can write.
    var rests: Bool
    /// The number of entries to write between two checks of the clock.
    var block = 256

    /// The smallest chunk, for a map without room for a larger chunk.
    static let minimumBytes = 1 << 16
    /// The size of a full chunk. Chunks of twice the size would be sorted half as often, and fill pages better.
    private static let maximumBytes = 64 << 20

    /// Returns the limits of a store that reports its old reads. A read takes at most half of the maximum age, so that
    /// it is not reported, but not less than 50 milliseconds: each chunk costs several transactions.
    func reading(within maximumAge: Duration?) -> BuildSize {
        var size = self
        if let maximumAge { size.readTime = min(readTime, max(maximumAge / 2, .milliseconds(50))) }
        return size
    }

    /// The limits if the caller waits for the build.
    static let large = BuildSize(bytes: maximumBytes, readTime: .seconds(2), writeTime: .seconds(2), rests: false)
    /// The limits of a background build: the same chunks, in small transactions.
    static let small = BuildSize(bytes: maximumBytes, readTime: .seconds(2), writeTime: .milliseconds(5), rests: true)
}
