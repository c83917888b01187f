// The options for opening a store.

import LMDB

/// The options for opening a store.
///
/// The defaults are right for almost every program. The first open of a store in a process sets the options for all
/// later opens in the process, except ``isReadOnly``, ``verifiesChecksums``, ``verifiesFile`` and ``gathersTexts``.
public struct StoreOptions: Hashable, Sendable {
    /// The point at which a transaction counts as committed.
    public enum Durability: Hashable, Sendable {
        /// When the transaction is on disk: a power cut loses no acknowledged transaction.
        case full
        /// When the transaction's data is on disk, but perhaps not the meta page that makes it current. A power cut may
        /// undo the last transactions, and leaves the store intact. A commit takes about a third less time.
        case noMetaSync
        /// At once: a power cut may leave the store unusable. Only for reproducible stores.
        case noSync
    }

    /// What an opening does with a store whose file has the other format of LMDB: of 0.9, while the process has loaded
    /// liblmdb 1.0, or the other way round.
    public enum Conversion: Hashable, Sendable {
        /// Converts the file, unless the store is opened read-only.
        case automatic
        /// Converts the file, and keeps the old one beside it: `NAME.lmdb-0.9` or `NAME.lmdb-1.0`.
        case keepingOriginal
        /// Throws ``StoreError/FileError/otherEngine(path:format:library:)``.
        case never
    }

    /// The moment from which the system can decrypt a file, on iOS and related systems.
    public enum FileProtection: Hashable, Sendable {
        /// Only while the device is unlocked. The store is suspended meanwhile.
        case complete
        /// While the device is unlocked, and after that as long as the file stays open.
        case completeUnlessOpen
        /// From the first time the device is unlocked after it was started.
        case completeUntilFirstUserAuthentication
        /// Always.
        case none
    }

    /// The size of the memory map in bytes: the maximum size of the store until the map grows. Nil for the automatic
    /// size, which is practically unlimited: 1 TiB of address space, not memory or disk (4 GiB at most on iOS and
    /// related systems).
    ///
    /// The automatic size is smaller if the process has more than ten stores open, or little address space: all
    /// automatic maps together leave at least half of the address space to the process. If no block of addresses is
    /// large enough, the opening throws ``StoreError/FileError/noAddressSpace(path:size:)``.
    public var mapSize: Int?
    /// Whether a map with less than a quarter free is doubled before a write begins. This takes a moment when this
    /// process has no other transaction open. Without growth, ``mapSize`` is the maximum size of the store's file, and
    /// a larger write throws ``StoreError/FileError/mapFull(path:limit:)``.
    public var growsMap: Bool
    /// The maximum number of read transactions of all processes together, from 1 to 1,000,000. Each costs 64 bytes of
    /// the lock file. The first process to open the store sets the number for all processes.
    public var maximumReaders: Int
    /// The maximum number of tables, from 1 to 1,000,000. Each record type and each index has a table. A full-text
    /// index has five, or six for text from elsewhere, and its type two more. Each relation has one to three, and the
    /// store has a few tables of its own. Each table adds about a quarter of a nanosecond to the start of a write
    /// transaction.
    public var maximumTables: Int
    /// The point at which a transaction counts as committed.
    public var durability: Durability
    /// Whether the store is opened read-only. The lock file is written nevertheless, because writers must see the
    /// readers. Only on a read-only medium, where there are no writers, the store is opened without it.
    public var isReadOnly: Bool
    /// The mode of a new file, as for `chmod`. The lock file's mode gives write permission to every user who may read
    /// the store.
    public var fileMode: UInt16
    /// The protection of a new file, of its lock file, and of copies, on iOS and related systems. It has no effect on
    /// other systems. An existing file keeps its protection.
    public var fileProtection: FileProtection
    /// Whether the store is suspended while its app is in the background, on iOS, tvOS and visionOS; nil for stores in
    /// the container of an app group.
    ///
    /// The system ends an app that it suspends with a lock on a file of an app group, and an open store has locks. So
    /// such a store is suspended when the app has entered the background, and resumed before the app comes back.
    /// Transactions wait meanwhile. An app that works in the background calls `resume()` first, and `suspend()`
    /// afterwards. A temporary store is never suspended.
    public var suspendsInBackground: Bool?
    /// Whether the checksum of every record is verified when the record is read; this takes a few nanoseconds per
    /// record.
    public var verifiesChecksums: Bool
    /// Whether the pages of the file are verified before the store is opened, for a file of others that may be damaged.
    ///
    /// LMDB trusts the pages of its file, so that some damage ends the process with a signal. After the verification,
    /// no such damage is left. A damaged file throws ``StoreError/FileError/verificationFailed(path:findings:)``. The
    /// contents of records are not verified; see ``verifiesChecksums``. Other processes may write meanwhile.
    ///
    /// The verification reads every page in use once: O(*n*) in the size of the file.
    public var verifiesFile: Bool
    /// The maximum time to wait for other writers of all processes, for a write or a copy without compaction. Then it
    /// throws ``StoreError/TransactionError/writerBusy(path:timeout:)``. Nil for no limit. An async write queued after
    /// another write of this process waits until that write ends, even if it hangs.
    ///
    /// A dying process releases the writer lock at once. So only a hanging process, or one suspended in the middle of a
    /// write, can block other writers forever. With a timeout, every write transaction costs two thread switches, about
    /// 5 µs; a timeout below 50 milliseconds counts as 50 milliseconds. A timeout also replaces the limit of five
    /// seconds for the rare waits of `Store.read(_:)`.
    public var busyTimeout: Duration?
    /// The age for a warning about a read transaction of this process (swift-log, label `trove`); nil for no warning.
    ///
    /// While a read is open, pages freed since it began cannot be reused, and the file grows with every write. The
    /// option costs nothing when a read begins: open reads are checked four times in each such period.
    public var maximumReadAge: Duration?
    /// Whether reads older than ``maximumReadAge`` are ended. Then each later use of the context throws
    /// ``StoreError/TransactionError/readExpired(path:)``, and the snapshot is released when the closure returns. An
    /// endless closure cannot be ended. The store's own reads are reported, and never ended: migrations, builds of
    /// indexes, `Store.check()`.
    public var endsOldReads: Bool
    /// The duration from which a query is logged (swift-log, label `trove`, level `notice`), with its plan as by
    /// `explain`; nil for no log. `.zero` logs every query.
    ///
    /// A `get` by key is not a query. The duration of `forEach` and `update` includes their closure. Without a
    /// threshold, no clock is read.
    public var slowQueryThreshold: Duration?
    /// Whether the store gathers texts by itself: of the types that it was opened with, when it is opened and after
    /// commits of this process, by the asynchronous closures of their full-text indexes. Otherwise,
    /// `Store.gatherTexts(of:)` gathers them.
    public var gathersTexts: Bool
    /// How observers learn of the commits of other processes. The first opener in a process sets it for all.
    public var externalChanges: ExternalChanges
    /// What an opening does with a file of the other format of LMDB.
    ///
    /// A conversion writes all entries into a new file, compares them, and puts the new file in the place of the old
    /// one. No other process may have the store open meanwhile; the opening waits for ``busyTimeout``, or for five
    /// seconds. The disk needs room for both files. Whatever happens, the path leads to the old file or to the new one,
    /// each complete.
    public var conversion = Conversion.automatic
    /// The number of live objects that are kept for reuse after the program has let them go: the objects used last. The
    /// first open of a store in a process sets it.
    public var keptLiveObjects: Int
    /// The rules for the history of commits; nil for those that the store has, which is no history in a new store.
    ///
    /// An opening stores the rules, and later openings and other programs keep to them. A read-only opening changes
    /// nothing.
    public var history: HistoryPolicy?
    /// The features of the format that this program has. Tests leave out some, as in a program of an earlier version.
    package var supportedFeatures = StoreFeature.supported

    /// Creates options, each with its default.
    public init(
        mapSize: Int? = nil, growsMap: Bool = true, maximumReaders: Int = 512, maximumTables: Int = 512,
        durability: Durability = .full,
        isReadOnly: Bool = false, fileMode: UInt16 = 0o600, verifiesChecksums: Bool = false,
        verifiesFile: Bool = false, busyTimeout: Duration? = nil, maximumReadAge: Duration? = nil,
        endsOldReads: Bool = false, slowQueryThreshold: Duration? = nil, gathersTexts: Bool = true,
        externalChanges: ExternalChanges = .watch, keptLiveObjects: Int = 128,
        fileProtection: FileProtection = .completeUntilFirstUserAuthentication, suspendsInBackground: Bool? = nil,
        history: HistoryPolicy? = nil
    ) {
        self.mapSize = mapSize
        self.growsMap = growsMap
        self.maximumReaders = maximumReaders
        self.maximumTables = maximumTables
        self.durability = durability
        self.isReadOnly = isReadOnly
        self.fileMode = fileMode
        self.verifiesChecksums = verifiesChecksums
        self.verifiesFile = verifiesFile
        self.busyTimeout = busyTimeout
        self.maximumReadAge = maximumReadAge
        self.endsOldReads = endsOldReads
        self.slowQueryThreshold = slowQueryThreshold
        self.gathersTexts = gathersTexts
        self.externalChanges = externalChanges
        self.keptLiveObjects = keptLiveObjects
        self.fileProtection = fileProtection
        self.suspendsInBackground = suspendsInBackground
        self.history = history
    }

    func environmentOptions(isTemporary: Bool = false) throws -> EnvironmentOptions {
        var options = EnvironmentOptions(
            mapSize: mapSize, growsMap: growsMap, maximumReaders: maximumReaders, maximumDatabases: maximumTables,
            durability: isTemporary ? .noSync : durability.ofEnvironment, isReadOnly: isReadOnly, fileMode: fileMode,
            busyTimeout: busyTimeout)
        options.isTemporary = isTemporary
        options.createsInDirectory = false
        options.initialTable = try CatalogStorage.initial()
        options.conversion = conversion.ofEnvironment
        options.fileProtection = fileProtection.ofEnvironment
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

extension StoreOptions.FileProtection {
    fileprivate var ofEnvironment: LMDB.FileProtection {
        switch self {
        case .complete: .complete
        case .completeUnlessOpen: .completeUnlessOpen
        case .completeUntilFirstUserAuthentication: .completeUntilFirstUserAuthentication
        case .none: .none
        }
    }
}

extension StoreOptions.Conversion {
    fileprivate var ofEnvironment: LMDB.Conversion {
        switch self {
        case .automatic: .automatic
        case .keepingOriginal: .keepingOriginal
        case .never: .never
        }
    }
}
