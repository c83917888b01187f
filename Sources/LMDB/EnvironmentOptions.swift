// What the opener of an environment may choose.

/// How an environment is opened.
///
/// The defaults are right for almost everyone: full durability, a map that is never in the way, and room for 512
/// readers and 512 databases. Who first opens a file in a process decides for all who open it there; only `isReadOnly`
/// is each opener's own.
public struct EnvironmentOptions: Hashable, Sendable {
    /// When a commit counts as done.
    public enum Durability: Hashable, Sendable {
        /// A commit returns when its data and its meta page are on disk. A power cut loses nothing acknowledged.
        case full
        /// The meta page is written lazily: a power cut may undo the last commits, and leaves the file sound.
        case noMetaSync
        /// Nothing is flushed: a power cut may leave the file unusable. For files that can be made again.
        case noSync
    }

    /// The size of the memory map in bytes, which is the most the file can grow to; nil lets the environment choose.
    ///
    /// The automatic map reserves 1 TiB of address space (not memory, and not disk), halved until the system grants
    /// it; 4 GiB on iOS, tvOS, watchOS and visionOS.
    public var mapSize: Int?
    /// Whether the map is doubled when less than a quarter of it is free before a write transaction begins. Otherwise
    /// its size is a limit: a transaction that would outgrow it throws ``LMDBError/Code/mapFull``.
    public var growsMap: Bool
    /// The most read transactions that all processes together can have open. The first opener's number holds.
    public var maximumReaders: Int
    /// The most named databases. Each costs a little at the beginning of every write transaction.
    public var maximumDatabases: Int
    /// When a commit counts as done.
    public var durability: Durability
    /// Whether the file is opened without the possibility to write. Its lock file is written nevertheless, since
    /// writers must see who reads; only on a read-only medium, where nobody writes, it does without.
    public var isReadOnly: Bool
    /// The mode of the file that is created, as for `chmod`. The lock file's lets all write who may read the data file.
    public var fileMode: UInt16
    /// Whether a file with several hard links may be opened. Two processes that open it under two names would use two
    /// lock files, and both could write at once.
    public var allowsHardLinks: Bool
    /// How long to wait, at most, for others; nil for the default.
    ///
    /// By default a write waits for its turn as long as it takes: a writer that dies gives its lock back at once, but
    /// one that hangs or is suspended, in whatever process, does not. With a timeout the write throws
    /// ``LMDBError/Code/writerBusy`` instead, and each write transaction pays two changes of thread, some 5 µs:
    /// only a thread of its own can be left behind at liblmdb's lock. Less than 50 milliseconds count as so many.
    ///
    /// A copy that is not compacting waits in the same way, for a moment without writers. All other waits are for this
    /// process alone, and last five seconds by default: for its transactions to end, when
    /// another process has enlarged the map, and in `Environment/dropDatabase(_:)`; for its writers' turn, in
    /// `Environment/openDatabase(_:)`; for an environment on the same file to be closed, when one is opened.
    public var busyTimeout: Duration?
    /// Whether the file and its lock file are removed from their directory as soon as they are open.
    package var isTemporary = false
    /// Whether the file is read without a lock file beside it: for one that nobody else has open yet.
    package var isLockless = false
    /// What a new file holds from its first moment on.
    package var initialTable: InitialTable?

    /// Makes options, each with its default.
    public init(
        mapSize: Int? = nil, growsMap: Bool = true, maximumReaders: Int = 512, maximumDatabases: Int = 512,
        durability: Durability = .full,
        isReadOnly: Bool = false, fileMode: UInt16 = 0o600, allowsHardLinks: Bool = false,
        busyTimeout: Duration? = nil
    ) {
        self.mapSize = mapSize
        self.growsMap = growsMap
        self.maximumReaders = maximumReaders
        self.maximumDatabases = maximumDatabases
        self.durability = durability
        self.isReadOnly = isReadOnly
        self.fileMode = fileMode
        self.allowsHardLinks = allowsHardLinks
        self.busyTimeout = busyTimeout
    }

    /// How long to wait for this process's own transactions.
    var patience: Duration { busyTimeout ?? .seconds(5) }

    /// The size of the map that is tried first, in bytes.
    var preferredMapSize: Int {
        if let mapSize { return mapSize }
        #if os(Linux) || os(macOS)
        return isTemporary ? 64 << 30 : 1 << 40
        #else
        return 4 << 30
        #endif
    }
}

/// A database that a new file is born with.
package struct InitialTable: Hashable, Sendable {
    /// A key and its value.
    package struct Row: Hashable, Sendable {
        package var key: [UInt8]
        package var value: [UInt8]

        package init(_ key: [UInt8], _ value: [UInt8]) {
            self.key = key
            self.value = value
        }
    }

    package var name: String
    package var rows: [Row]

    package init(name: String, rows: [Row]) {
        self.name = name
        self.rows = rows
    }
}
