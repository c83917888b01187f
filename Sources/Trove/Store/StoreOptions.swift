// What the opener of a store may choose.

import LMDB

/// How a store is opened.
///
/// The defaults are right for almost everyone. Who first opens a store in a process decides for all who open it there;
/// only ``isReadOnly`` and ``verifiesChecksums`` are each opener's own.
public struct StoreOptions: Hashable, Sendable {
    /// When a transaction counts as committed.
    public enum Durability: Hashable, Sendable {
        /// When it is on disk: a power cut loses nothing that was acknowledged.
        case full
        /// When its data is on disk, but perhaps not the page that makes it current: a power cut may undo the last
        /// transactions, and leaves the store sound. About a third less time a commit.
        case noMetaSync
        /// At once: a power cut may leave the store unusable. Only for stores that can be made again.
        case noSync
    }

    /// The size of the memory map in bytes, the most that the store can grow to before the map does; nil for the
    /// automatic size, which no one runs out of: 1 TiB of address space, not memory or disk (4 GiB on iOS and its kin).
    public var mapSize: Int?
    /// Whether a map of which less than a quarter is free is doubled before a write begins, which takes a moment when
    /// this process has no other transaction open. Without growth ``mapSize`` is the most that the store's file can
    /// ever have, and a write that needs more throws ``StoreError/mapFull(path:limit:)``.
    public var growsMap: Bool
    /// The most read transactions of all processes together, each of which costs 64 bytes of the lock file. The process
    /// that opens the store first decides for all.
    public var maximumReaders: Int
    /// The most tables: one for each record type, and a few of the store's own. Each costs a write transaction about
    /// a quarter of a nanosecond to begin.
    public var maximumTables: Int
    /// When a transaction counts as committed.
    public var durability: Durability
    /// Whether the store is opened without the possibility to write. Its lock file is written nevertheless, since
    /// writers must see who reads; only on a read-only medium, where nobody writes, it does without.
    public var isReadOnly: Bool
    /// The mode of the file that is created, as for `chmod`. The lock file's lets all write who may read the store.
    public var fileMode: UInt16
    /// Whether the checksum of every record is verified when it is read; a few nanoseconds a record.
    public var verifiesChecksums: Bool
    /// How long a write, or a copy that is not compacting, waits for other writers, of this process and all others,
    /// before it throws ``StoreError/writerBusy(path:timeout:)``; nil for as long as it takes. An async write behind
    /// one of this process that hangs waits for that one's end.
    ///
    /// A process that dies gives the writer lock back at once, so that only one which hangs, or is suspended in the
    /// middle of a write, can hold others up for ever. With a timeout every write transaction pays two changes of
    /// thread, some 5 µs; less than 50 milliseconds count as so many. A timeout replaces, too, the five seconds that
    /// the rare waits of
    /// ``Store/read(_:)-(_)`` last at most.
    public var busyTimeout: Duration?
    /// The age from which on a read transaction of this process is reported by a warning (swift-log, label `trove`);
    /// nil for none.
    ///
    /// While a read is open, no page that was freed since it began can be used again, so that the file grows with every
    /// write. Costs nothing when a read begins: open reads are looked at four times in each such span.
    public var maximumReadAge: Duration?
    /// Whether a read that reaches ``maximumReadAge`` is ended: its next use of the context, and each one after that,
    /// throws ``StoreError/readExpired(path:)``, and its snapshot is given up when its closure returns. A closure that
    /// never comes back cannot be ended.
    public var endsOldReads: Bool

    /// Makes options, each with its default.
    public init(
        mapSize: Int? = nil, growsMap: Bool = true, maximumReaders: Int = 512, maximumTables: Int = 512,
        durability: Durability = .full,
        isReadOnly: Bool = false, fileMode: UInt16 = 0o600, verifiesChecksums: Bool = false,
        busyTimeout: Duration? = nil, maximumReadAge: Duration? = nil, endsOldReads: Bool = false
    ) {
        self.mapSize = mapSize
        self.growsMap = growsMap
        self.maximumReaders = maximumReaders
        self.maximumTables = maximumTables
        self.durability = durability
        self.isReadOnly = isReadOnly
        self.fileMode = fileMode
        self.verifiesChecksums = verifiesChecksums
        self.busyTimeout = busyTimeout
        self.maximumReadAge = maximumReadAge
        self.endsOldReads = endsOldReads
    }

    func environmentOptions(isTemporary: Bool = false) throws -> EnvironmentOptions {
        var options = EnvironmentOptions(
            mapSize: mapSize, growsMap: growsMap, maximumReaders: maximumReaders, maximumDatabases: maximumTables,
            durability: isTemporary ? .noSync : durability.ofEnvironment, isReadOnly: isReadOnly, fileMode: fileMode,
            busyTimeout: busyTimeout)
        options.isTemporary = isTemporary
        options.initialTable = try CatalogStorage.initial()
        return options
    }
}

extension StoreOptions.Durability {
    fileprivate var ofEnvironment: EnvironmentOptions.Durability {
        switch self {
        case .full: .full
        case .noMetaSync: .noMetaSync
        case .noSync: .noSync
        }
    }
}
