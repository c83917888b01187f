// The activity of a store, as a value.

/// The activity of a store in this process since it was opened, and the size of its file.
///
/// The counts cover all references to the file in this process. They grow until the file is closed, so a monitoring
/// system can take differences.
public struct StoreStatistics: Hashable, Sendable, Encodable {
    /// The write transactions of this process.
    public struct Writes: Hashable, Sendable, Encodable {
        /// The number of write transactions begun, including transactions of the store itself, such as migrations. A
        /// group of async writes is one transaction. A transaction without changes is not committed.
        public var begun: Int
        /// The number of commits.
        public var commits: Int
        /// The number of commits that failed.
        public var failedCommits: Int
        /// The number of transactions that ran async writes to their end.
        public var groups: Int
        /// The number of async writes in these groups. Divided by ``groups``, it is the average size of a group: how
        /// many writes share a flush of the disk.
        public var asyncWrites: Int
        /// The number of async writes in the largest group.
        public var largestGroup: Int
    }

    /// The number of read transactions that have ended, including transactions of the store itself.
    public var reads: Int
    /// The number of read transactions open now.
    public var openReads: Int
    /// The write transactions.
    public var writes: Writes
    /// The number of writes that run now or wait for their turn. If it stays above 1, writes are the bottleneck.
    public var waitingWrites: Int
    /// The number of LMDB's last commit, of all processes. Each commit increments it by 1.
    public var lastTransaction: Int
    /// The number of commits since the snapshot of the oldest open read of all processes; 0 without a read. The pages
    /// that these commits have freed cannot be reused yet.
    public var commitsBehind: Int
    /// The bytes of the file that have ever been used, including free pages.
    public var usedSize: Int
    /// The size of the memory map in bytes: the maximum size of the file until the map grows.
    public var mapSize: Int
}
