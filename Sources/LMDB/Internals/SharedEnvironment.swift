// The one open LMDB environment of a file in this process: its life, its pool of readers, its handles.

import CLMDB
import Dispatch
import Synchronization

/// What all `Environment`s on one file share.
///
/// Unchecked because of `pointer` and `lockIdentity` alone: liblmdb allows an environment's pointer on every thread,
/// and both change only under the lock of `state`, at a moment when nobody uses them. All else here is constant or
/// inside
/// `state`.
@safe package final class SharedEnvironment: @unchecked Sendable {
    var pointer: OpaquePointer
    private let place: EnvironmentPlace
    var lockFile: String { place.lockFile }
    /// What `Environment`s and the registry hold; for who must keep the environment open for all of them.
    private let weakHold = Monitor<WeakHold>(WeakHold())

    private struct WeakHold { weak var hold: EnvironmentHold? }

    var hold: EnvironmentHold? { weakHold.withLock { $0.hold } }

    func setHold(_ hold: EnvironmentHold) { weakHold.withLock { $0.hold = hold } }
    /// The lock file that liblmdb has open; nil where it has none, or one without a name.
    var lockIdentity: FileIdentity?
    package let path: String
    package let options: EnvironmentOptions
    let identity: FileIdentity
    let forkGeneration: Int
    package let writers = WriterQueue()
    /// Waited at by who needs a moment without transactions; see `SharedEnvironment+Map.swift`.
    let state = Monitor(State())
    /// Readers that nobody uses; those for which there is no room stand in `State.idle`.
    let idleReaders = IdleReaders()
    /// How many wait for a moment without transactions, or have made one: a read then begins under the lock.
    let barriers = Atomic<Int>(0)
    /// Changes at both ends of a commit that publishes databases, and is odd meanwhile, for a reader to notice one that
    /// falls into its own beginning.
    let publishing = Atomic<UInt64>(0)
    /// How many times databases were published.
    let publications = Atomic<UInt64>(0)
    /// Where liblmdb's writer lock is waited for with a limit; see `HeldTransaction`.
    let lockQueue = DispatchQueue(label: "trove.lmdb.lock", qos: .userInitiated)
    /// How many commits there were since dead readers were last looked for. Touched by the writer whose turn it is.
    let commitsSinceSweep = Atomic<Int>(0)
    let attached = Monitor<(any AnyObject & Sendable)?>(nil)

    struct State {
        /// Readers that have been reset and found no room in `idleReaders`.
        var idle: [TransactionCore] = []
        /// Every reader there is, idle or not.
        var readers: [TransactionCore] = []
        /// Other uses of the map in this process: write transactions above all.
        var active = 0
        /// How many wait for a moment without transactions, and want no other thread to begin to read meanwhile.
        var gates = 0
        var databases: [DatabaseName: Database] = [:]
        /// The number of the commit under way that publishes databases.
        var publishingCommit: Int?
        /// How many times the map was made anew.
        var mapGeneration = 0
        /// The use of the map, in bytes, from which on a writer waits again for a moment to enlarge it.
        var nextPatientGrowth = 0
        /// Why the environment is closed: it had to be opened anew, and could not. The next transaction tries again.
        var failure: LMDBError?
        var lastSerial: UInt64 = 0
    }

    init(place: EnvironmentPlace, options: EnvironmentOptions, forkGeneration: Int) throws(LMDBError) {
        unsafe pointer = try Self.open(place, options)
        path = place.dataFile
        self.place = place
        self.options = options
        identity = place.identity
        self.forkGeneration = forkGeneration
        if options.isTemporary {
            FileCalls.remove(place.dataFile)
            FileCalls.remove(place.lockFile)
        } else {
            noteLockFile()
        }
    }

    private func noteLockFile() {
        guard !options.isLockless else { return }
        lockIdentity = FileCalls.identity(of: place.lockFile)
        OpenLocks.shared.add(lockIdentity)
    }

    deinit {
        // A child must leave its parent's environment alone: closing it would release the parent's reader slots.
        guard ForkGuard.current == forkGeneration else { return }
        EnvironmentRegistry.shared.close(identity) {
            state.withLock { state in
                if state.failure == nil { closeEnvironment(&state) }
            }
        }
    }

    /// Closes liblmdb's environment, while no transaction is open.
    func closeEnvironment(_ state: inout State) {
        for reader in state.readers { reader.discard() }
        while idleReaders.takeAny() != nil {}
        state.readers = []
        state.idle = []
        unsafe Calls.close(pointer)
        OpenLocks.shared.remove(lockIdentity)
        lockIdentity = nil
    }

    /// Opens liblmdb's environment once more, after it was closed.
    ///
    /// - Throws: `fileReplaced` when the file has gone from its place, `temporaryLost` when it never had one; what
    ///   opening throws.
    func openAgain() throws(LMDBError) {
        guard !options.isTemporary else { throw LMDBError(.temporaryLost, in: "open", path: path) }
        try checkName(of: place.dataFile, is: identity)
        try FileHead.check(place.dataFile)
        unsafe pointer = try Self.open(place, options)
        noteLockFile()
    }

    /// Opens with the largest map, from the preferred size down by halves, that the system grants.
    private static func open(_ place: EnvironmentPlace, _ options: EnvironmentOptions) throws(LMDBError)
        -> OpaquePointer
    {
        var flags = place.flags | MDB_NOTLS
        if options.isLockless {
            flags |= MDB_NOLOCK
        } else {
            try place.makeRoomForLockFile(options)
        }
        if options.isReadOnly { flags |= MDB_RDONLY }
        switch options.durability {
        case .full: break
        case .noMetaSync: flags |= MDB_NOMETASYNC
        case .noSync: flags |= MDB_NOSYNC
        }
        let fileSize = try FileCalls.status(of: place.dataFile)?.size ?? 0
        let headRoom = options.growsMap ? 2 : 1
        let least = max(headRoom * min(fileSize, .max / 4), 1 << 20)
        var mapSize = roundedToPages(max(options.preferredMapSize, least))
        while true {
            var made: OpaquePointer?
            var code = unsafe Calls.create(&made)
            guard code == 0, let environment = unsafe made else {
                throw LMDBError(.init(code), in: "mdb_env_create", path: place.path)
            }
            code = unsafe Calls.configure(environment, options, mapSize: mapSize)
            if code == 0 {
                code = unsafe Calls.open(environment, path: place.path, flags: flags, mode: options.fileMode)
            }
            if code == 0 { code = unsafe prepare(environment) }
            if code == 0 { return unsafe environment }
            unsafe Calls.close(environment)
            guard code == LMDBError.Code.outOfMemory.rawValue, options.mapSize == nil, mapSize / 2 >= least else {
                throw LMDBError(.init(code), in: "mdb_env_open", path: place.dataFile)
            }
            mapSize = roundedToPages(mapSize / 2)
        }
    }

    /// Frees the slots of dead readers, and makes the main table usable.
    private static func prepare(_ environment: OpaquePointer) -> Int32 {
        // A sweep that fails is no reason not to open: what needs a free slot sweeps again, and says why it cannot.
        var dead: Int32 = 0
        _ = unsafe Calls.sweepReaders(environment, &dead)
        for _ in 0..<mostAdoptions {
            var code = unsafe Calls.openMainTable(environment)
            guard LMDBError.Code(code) == .mapResized else { return code }
            // Another process has enlarged the file since it was opened here.
            code = unsafe Calls.setMapSize(environment, 0)
            if code != 0 { return code }
        }
        return LMDBError.Code.corrupted.rawValue
    }

    /// How many times in a row a map that is too small is made anew. Processes double it, so that no sound file ever
    /// needs as many; a damaged one could ask for ever.
    static let mostAdoptions = 32

    static func roundedToPages(_ size: Int) -> Int { (min(size, .max - 0xFFFF) + 0xFFFF) & ~0xFFFF }

    /// Lets a second opener share this environment, unless it asked for what this one cannot give.
    func accept(_ other: EnvironmentOptions) throws(LMDBError) {
        guard options.isReadOnly == other.isReadOnly || other.isReadOnly, options.durability == other.durability,
            options.isLockless == other.isLockless
        else {
            throw LMDBError(.openedDifferently, in: "open", path: path)
        }
    }

    @inline(__always)
    func checkFork(_ operation: @autoclosure () -> String) throws(LMDBError) {
        guard ForkGuard.current == forkGeneration else {
            throw LMDBError(.usedAfterFork, in: operation(), path: path)
        }
    }

    /// The error of a write to the file, where a full disk is told from other failures. For the writer whose turn it
    /// is.
    func writeError(_ code: Int32, in operation: String, database: String? = nil) -> LMDBError {
        var error = LMDBError(
            .init(writing: code, availableBytes: FileCalls.availableBytes(beside: path)), in: operation, path: path,
            database: database)
        if error.code == .mapFull { error.limit = unsafe Calls.info(pointer).me_mapsize }
        return error
    }

    /// Frees the reader slots of processes that died; gives how many there were.
    @discardableResult
    func sweepStaleReaders() throws(LMDBError) -> Int {
        try checkFork("sweepStaleReaders")
        let (code, dead) = try unsafe withMap { pointer in
            var dead: Int32 = 0
            return (unsafe Calls.sweepReaders(pointer, &dead), dead)
        }
        guard code == 0 else { throw LMDBError(.init(code), in: "mdb_reader_check", path: path) }
        return Int(dead)
    }
}
