// The options for opening an environment.

/// The options of an environment.
///
/// The defaults suit almost every program: full durability, a map that grows in time, and room for 512 readers and 512
/// databases. The first opener of a file in a process decides for all later openers; only `isReadOnly` is each opener's
/// own.
public struct EnvironmentOptions: Hashable, Sendable {
    /// The point at which a commit counts as done.
    public enum Durability: Hashable, Sendable {
        /// A commit returns when its data and its meta page are on disk. A power cut loses no acknowledged commit.
        case full
        /// The meta page is written later: a power cut may undo the last commits, but leaves the file intact.
        case noMetaSync
        /// Nothing is flushed: a power cut may leave the file unusable. For replaceable files.
        case noSync
    }

    /// The size of the memory map in bytes, and so the maximum size of the file; nil selects an automatic size.
    ///
    /// The automatic map reserves 1 TiB of address space (not memory, and not disk); 4 GiB on iOS, tvOS, watchOS and
    /// visionOS. It reserves less if the process has more than a few environments open, or little address space: all
    /// automatic maps together leave at least half of the address space free. A small map grows, see ``growsMap``.
    public var mapSize: Int?
    /// Whether the map is doubled when less than a quarter of it is free before a write transaction begins. Otherwise
    /// its size is a limit: a transaction that exceeds it throws ``LMDBError/Code/mapFull``.
    public var growsMap: Bool
    /// The maximum number of open read transactions, of all processes together, from 1 to 1,000,000. The first opener's
    /// number applies.
    public var maximumReaders: Int
    /// The maximum number of named databases, from 1 to 1,000,000. Each adds a small cost to the beginning of every
    /// write transaction.
    public var maximumDatabases: Int
    /// The point at which a commit counts as done.
    public var durability: Durability
    /// Whether the file is opened for reading only. Its lock file is written nevertheless, since writers must see all
    /// readers. Only on a read-only medium, where no process can write, the environment works without a lock file.
    public var isReadOnly: Bool
    /// The mode of a newly created file, as for `chmod`. Every user who may read the data file may write its lock file.
    public var fileMode: UInt16
    /// The protection of a new file, of its lock file, and of copies, on iOS and related systems. An existing file
    /// keeps its protection. It has no effect on Linux and on a Mac.
    public var fileProtection = FileProtection.completeUntilFirstUserAuthentication
    /// Whether a file with several hard links may be opened. Two processes that open it under two names would use two
    /// lock files, and both could write at once.
    public var allowsHardLinks: Bool
    /// The maximum time to wait for other transactions; nil for the default.
    ///
    /// By default, a write waits for its turn without limit. A dying writer releases its lock at once, or the wait
    /// ends with ``LMDBError/Code/writerLockOrphaned`` where the system has no robust mutexes. A hanging or suspended
    /// writer, in whatever process, does not release it. With a timeout, the write throws
    /// ``LMDBError/Code/writerBusy`` instead. Each write transaction then costs two thread switches, about 5 µs: only
    /// a separate thread can stay blocked at liblmdb's lock. The minimum is 50 milliseconds.
    ///
    /// A non-compacting copy waits in the same way, for a moment without writers. All other waits concern this process
    /// alone, and last five seconds by default:
    ///
    /// - for its transactions to end, when another process has enlarged the map, and in `Environment/dropDatabase(_:)`;
    /// - for its writers' turn, in `Environment/openDatabase(_:)`;
    /// - for an environment on the same file to be closed, when an environment is opened.
    public var busyTimeout: Duration?
    /// What an opening does with a file of the other format of LMDB, 0.9 or 1.0. A read-only environment converts
    /// nothing.
    ///
    /// Other programs on the file must load the same release of liblmdb afterwards.
    public var conversion = Conversion.never
    /// Whether the file and its lock file are removed from their directory after they are opened.
    package var isTemporary = false
    /// Whether a new environment may be created in a directory that the path names.
    package var createsInDirectory = true
    /// Whether the file is read without a lock file: for a file not yet open in any other process.
    package var isLockless = false
    /// Whether a dying writer releases liblmdb's lock. A test sets it for a library without robust mutexes.
    package var hasRobustMutexes = Engine.hasRobustMutexes
    /// The database of a new file, present from its creation.
    package var initialTable: InitialTable?

    /// Creates options, each with its default.
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

    /// The maximum number of readers, and of databases: the lock file has 64 bytes for each reader, and each write
    /// transaction has about as many for each database.
    static let mostSlots = 1_000_000

    /// Throws if an option is out of its range, or the system does not grant an explicit map size to a new file.
    func check(path: String, isNew: Bool) throws(LMDBError) {
        for (name, number) in [("maximumReaders", maximumReaders), ("maximumDatabases", maximumDatabases)]
        where !(1...Self.mostSlots).contains(number) {
            var error = LMDBError(.optionOutOfRange, in: name, path: path, limit: Self.mostSlots)
            error.size = number
            throw error
        }
        guard isNew, let mapSize, !SharedEnvironment.canMap(mapSize) else { return }
        throw LMDBError(.noAddressSpace, in: "mmap", path: path, limit: mapSize)
    }

    /// The maximum time to wait for this process's own transactions.
    var patience: Duration { busyTimeout ?? .seconds(5) }

    /// Whether an opening converts a file of the other format.
    var convertsFiles: Bool { conversion != .never && !isReadOnly && !isTemporary && !isLockless }

    /// The size of an automatic map in bytes, before it is requested from the system.
    var automaticMapSize: Int {
        #if os(Linux) || os(macOS)
        AddressSpace.shared.automaticSize(preferring: isTemporary ? 64 << 30 : 1 << 40)
        #else
        AddressSpace.shared.automaticSize(preferring: 4 << 30)
        #endif
    }
}
