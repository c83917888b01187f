// The open LMDB environment of a file in this process: its lifetime, its pool of readers, its handles.

import CTroveLMDB
import Dispatch
import Synchronization

/// The shared state of all `Environment`s on a file.
///
/// Unchecked because of `pointer`, `mappedSize`, `lockIdentity` and `writerGuard` alone: liblmdb allows an
/// environment's pointer on every thread. They change only under the lock of `state`, while no thread uses them. All
/// other members are constant or inside `state`.
@safe package final class SharedEnvironment: @unchecked Sendable {
    var pointer: OpaquePointer
    private let place: EnvironmentPlace
    var lockFile: String { place.lockFile }
    /// The hold shared by the `Environment`s and the registry. A caller retains it to keep the environment open for all
    /// of them.
    private let weakHold = Monitor<WeakHold>(WeakHold())

    private struct WeakHold { weak var hold: EnvironmentHold? }

    var hold: EnvironmentHold? { weakHold.withLock { $0.hold } }

    func setHold(_ hold: EnvironmentHold) { weakHold.withLock { $0.hold = hold } }
    /// The size of the map, as counted by `AddressSpace`. Changed as `pointer` is.
    var mappedSize = 0
    /// liblmdb's open lock file; nil without a lock file, or if the lock file has no name.
    var lockIdentity: FileIdentity?
    /// The guard of liblmdb's writer lock; nil where the lock outlives no process. Changed as `pointer` is.
    private(set) var writerGuard: WriterGuard?
    /// The lock under which the file was converted, until the environment is closed.
    private var conversionLock: ConversionLock?
    package let path: String
    package let options: EnvironmentOptions
    let identity: FileIdentity
    let forkGeneration: Int
    package let writers = WriterQueue()
    /// The guarded state. Threads wait on it for a moment without transactions; see `SharedEnvironment+Map.swift`.
    let state = Monitor(State())
    /// The idle readers; the overflow is in `State.idle`.
    let idleReaders = IdleReaders()
    /// The number of threads that wait for a moment without transactions, or have reached it. If it is not 0, a read
    /// begins under the lock.
    let barriers = Atomic<Int>(0)
    /// A counter, changed at both ends of a commit that publishes databases, and odd in between. With it, a reader
    /// detects a publication during its own beginning.
    let publishing = Atomic<UInt64>(0)
    /// The number of publications of databases.
    let publications = Atomic<UInt64>(0)
    /// The queue that waits for liblmdb's writer lock with a limit; see `HeldTransaction`.
    let lockQueue = DispatchQueue(label: "trove.lmdb.lock", qos: .userInitiated)
    /// The number of commits since the last sweep for dead readers. Used by the writer that has the turn.
    let commitsSinceSweep = Atomic<Int>(0)
    /// Whether the last write has failed for want of space, and the number of bytes of the file in use up to which
    /// space is short since the last such failure; 0 if there was none. See `SharedEnvironment+FreedPages.swift`.
    let hasLackedSpace = Atomic(false)
    let fullAt = Atomic(0)
    /// Whether a transaction did not fit into the map, and the map has not been doubled since.
    let mapWasTooSmall = Atomic(false)
    let attached = Monitor<(any AnyObject & Sendable)?>(nil)

    /// What happens to transactions while the environment is suspended.
    enum Suspension { case waiting, refusing }

    struct State {
        /// Reset readers without room in `idleReaders`.
        var idle: [TransactionCore] = []
        /// All readers, idle or not.
        var readers: [TransactionCore] = []
        /// The number of read transactions ended by readers freed since.
        var readsOfFreedReaders = 0
        /// Other uses of the map in this process, mainly write transactions.
        var active = 0
        /// The number of threads that keep other threads from beginning a read, until a moment without transactions.
        var gates = 0
        var databases: [DatabaseName: Database] = [:]
        /// The number of the current commit, if it publishes databases.
        var publishingCommit: Int?
        /// The number of times the map was created again.
        var mapGeneration = 0
        /// The number of used bytes at which a writer next waits to enlarge the map.
        var nextPatientGrowth = 0
        /// The reason that the environment is closed: it could not be opened again. The next transaction tries again.
        var failure: LMDBError?
        /// What happens to transactions that begin while the environment is suspended; nil while it is not.
        var suspension: Suspension?
        /// Whether all openers have closed the environment.
        var isClosed = false
        var lastSerial: UInt64 = 0
    }

    init(
        place: EnvironmentPlace, options: EnvironmentOptions, forkGeneration: Int, lock: ConversionLock?
    ) throws(LMDBError) {
        unsafe (pointer, writerGuard) = try Self.open(place, options, makesLockFile: lock == nil)
        conversionLock = lock
        path = place.dataFile
        self.place = place
        self.options = options
        identity = place.identity
        self.forkGeneration = forkGeneration
        noteMapSize()
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
        guard ForkGuard.current == forkGeneration, !state.withLock({ $0.isClosed }) else { return }
        closeFile()
    }

    /// Closes liblmdb's environment, and makes way for a later opener of the file.
    func closeFile() {
        EnvironmentRegistry.shared.close(identity) {
            state.withLock { state in
                if state.failure == nil, state.suspension == nil { closeEnvironment(&state) }
            }
        }
    }

    /// Closes liblmdb's environment, while no transaction is open.
    func closeEnvironment(_ state: inout State) {
        discardReaders(&state)
        unsafe Calls.close(pointer)
        AddressSpace.shared.note(-mappedSize)
        mappedSize = 0
        OpenLocks.shared.remove(lockIdentity)
        lockIdentity = nil
        conversionLock = nil
        writerGuard = nil
    }

    /// Frees all readers, while no transaction is open.
    func discardReaders(_ state: inout State) {
        for reader in state.readers {
            reader.discard()
            state.readsOfFreedReaders += reader.endedUses
        }
        while idleReaders.takeAny() != nil {}
        state.readers = []
        state.idle = []
    }

    /// Opens liblmdb's environment again, after it was closed.
    ///
    /// - Throws: `fileReplaced` if the file is no longer at its path, `temporaryLost` if it is temporary; any error of
    ///   opening.
    func openAgain() throws(LMDBError) {
        guard !options.isTemporary else { throw LMDBError(.temporaryLost, in: "open", path: path) }
        try checkName(of: place.dataFile, is: identity, in: "open")
        try FileHead.check(place.dataFile)
        unsafe (pointer, writerGuard) = try Self.open(place, options)
        noteMapSize()
        noteLockFile()
    }

    /// Opens with a map of the preferred size. If the system refuses an automatic map, with an eighth of what it
    /// grants, or less: the process needs addresses for other things.
    ///
    /// - Throws: `noAddressSpace` if the system refuses the least possible map, or an explicit size.
    private static func open(
        _ place: EnvironmentPlace, _ options: EnvironmentOptions, makesLockFile: Bool = true
    ) throws(LMDBError) -> (OpaquePointer, WriterGuard?) {
        var flags = place.flags | MDB_NOTLS
        if options.isLockless {
            flags |= MDB_NOLOCK
        } else if makesLockFile {
            try place.makeRoomForLockFile(options)
        }
        let lockFile = try prepareGuard(of: place, options)
        if options.isReadOnly { flags |= MDB_RDONLY }
        switch options.durability {
        case .full: break
        case .noMetaSync: flags |= MDB_NOMETASYNC
        case .noSync: flags |= MDB_NOSYNC
        }
        let fileSize = try FileCalls.status(of: place.dataFile)?.size ?? 0
        let headRoom = options.growsMap ? 2 : 1
        let least = roundedToPages(max(headRoom * min(fileSize, .max / 4), 1 << 20))
        var mapSize = roundedToPages(max(options.mapSize ?? options.automaticMapSize, least))
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
            if code == 0 {
                do throws(LMDBError) {
                    return unsafe (environment, try makeGuard(of: environment, place, options, lockFile))
                } catch {
                    unsafe Calls.close(environment)
                    throw error
                }
            }
            unsafe Calls.close(environment)
            let next = max(min(mapSize / 2, AddressSpace.largestGrant(upTo: mapSize) / 8), least)
            if [.invalid, .versionMismatch].contains(LMDBError.Code(code)) {
                // The head was of the library's format before. Either another process has converted the file, or it has
                // it open with another kind of lock file.
                try FileHead.check(place.dataFile)
                throw LMDBError(.otherEngineInUse, in: "mdb_env_open", path: place.dataFile)
            }
            guard code == LMDBError.Code.outOfMemory.rawValue, options.mapSize == nil, next < mapSize else {
                let isRefused = code == LMDBError.Code.outOfMemory.rawValue && !canMap(mapSize)
                throw LMDBError(
                    isRefused ? .noAddressSpace : .init(code), in: "mdb_env_open", path: place.dataFile,
                    limit: isRefused ? mapSize : nil)
            }
            mapSize = roundedToPages(next)
        }
    }

    /// Frees the slots of dead readers, and makes the main table usable.
    private static func prepare(_ environment: OpaquePointer) -> Int32 {
        // A failed sweep does not prevent opening: a later operation without a free slot sweeps again, and reports the
        // error.
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

    /// The maximum number of successive map enlargements. Processes double the map, so an intact file never reaches the
    /// limit; a damaged file could require it forever.
    static let mostAdoptions = 32

    static func roundedToPages(_ size: Int) -> Int { (min(size, .max - 0xFFFF) + 0xFFFF) & ~0xFFFF }

    /// Lets a second opener share this environment, unless its options conflict.
    func accept(_ other: EnvironmentOptions) throws(LMDBError) {
        guard options.isReadOnly == other.isReadOnly || other.isReadOnly, options.durability == other.durability,
            options.isLockless == other.isLockless
        else {
            throw LMDBError(.openedDifferently, in: "open", path: path)
        }
    }

    /// Whether this process has opened the environment; false in a child that was forked afterwards.
    package var isOfThisProcess: Bool { ForkGuard.current == forkGeneration }

    @inline(__always)
    func checkFork(_ operation: @autoclosure () -> String) throws(LMDBError) {
        guard ForkGuard.current == forkGeneration else {
            throw LMDBError(.usedAfterFork, in: operation(), path: path)
        }
    }

    /// Returns the error of a write to the file, with a full disk distinguished from other failures. For the writer
    /// that has the turn.
    func writeError(_ code: Int32, in operation: String, database: String? = nil) -> LMDBError {
        var error = LMDBError(
            .init(writing: code, availableBytes: FileCalls.availableBytes(beside: path)), in: operation, path: path,
            database: database)
        if error.code == .mapFull { error.limit = unsafe Calls.info(pointer).me_mapsize }
        noteLackOfSpace(error)
        return error
    }

    /// Returns whether a reader slot belongs to another process: one that has read, and is still open.
    package func hasReadersElsewhere() throws(LMDBError) -> Bool {
        try unsafe withMap { unsafe Calls.hasOtherProcess($0) }
    }

    /// Frees the reader slots of dead processes, and returns their number.
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
