// The size of the map: doubled before it is needed, adopted when another process enlarged it, and only ever changed
// while no transaction of this process is open, since liblmdb maps the file anew.

import CLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension SharedEnvironment {
    /// Doubles a map of which less than a quarter is free, when this is a moment without transactions; otherwise a
    /// later writer will.
    ///
    /// Where less than an eighth is free, and readers leave no such moment by themselves, it makes one: new readers
    /// wait a moment, while the open ones end. A reader that stays open longer is not waited for again until another
    /// part of the map has filled up.
    ///
    /// - Returns: The bytes of the map that were used.
    func growMapIfNeeded() -> Int {
        let (used, isPatient) = state.withLock { state in
            guard state.failure == nil else { return (0, false) }
            let (used, mapSize) = mapUse()
            guard options.growsMap, used > mapSize - mapSize / 4 else { return (used, false) }
            raiseBarrier()
            defer { lowerBarrier() }
            if isQuiet(state) {
                doubleMap(&state)
                return (used, false)
            }
            guard used > mapSize - mapSize / 8, used >= state.nextPatientGrowth else { return (used, false) }
            state.nextPatientGrowth = used + mapSize / 32
            return (used, true)
        }
        guard isPatient else { return used }
        do throws(LMDBError) {
            try whenQuiet(or: .busy, in: "growMap", within: .milliseconds(100), closingGate: true) { doubleMap(&$0) }
        } catch {
            // No such moment: the transaction may still fit, and says `mapFull` otherwise.
        }
        return used
    }

    /// Whether less than a quarter of the map is free, and others have used more of it since. For an open writer.
    func isMapScarce(since before: Int) -> Bool {
        let (used, mapSize) = mapUse()
        return options.growsMap && used > before && used > mapSize - mapSize / 4
    }

    private func doubleMap(_ state: inout State) {
        let (_, mapSize) = mapUse()
        if Self.canMap(2 * mapSize) { remap(2 * mapSize, &state) }
    }

    /// The bytes of the map that the file uses, and those there are. Called where no other thread can remap.
    private func mapUse() -> (used: Int, mapSize: Int) {
        let info = unsafe Calls.info(pointer)
        let pageSize = Int(unsafe Calls.statistics(pointer).ms_psize)
        return unsafe (Calls.usedSize(info, pageSize: pageSize), info.me_mapsize)
    }

    /// Takes over the size that another process gave the map, as soon as no transaction of this process is open.
    ///
    /// - Parameters:
    ///   - generation: The map that was found too small.
    ///   - attempts: How many times the caller has done this for one transaction.
    /// - Throws: `mapResizedElsewhere` when the calling thread's own transaction stands in the way, or when others do
    ///   for longer than the busy timeout; `corrupted` when no map is ever large enough.
    func adoptMap(after generation: Int, attempts: inout Int) throws(LMDBError) {
        attempts += 1
        guard attempts <= Self.mostAdoptions else { throw LMDBError(.corrupted, in: "adoptMap", path: path) }
        try whenQuiet(
            or: .mapResizedElsewhere, in: "adoptMap", within: options.patience,
            unless: { $0.mapGeneration != generation }
        ) { state in
            remap(0, &state)
        }
    }

    /// Runs a closure at a moment when no transaction of this process is open, and none can begin.
    ///
    /// - Parameters:
    ///   - code: What is thrown when the calling thread's own reader stands in the way, or when other transactions do
    ///     for longer than the timeout.
    ///   - operation: What is being done.
    ///   - timeout: How long to wait.
    ///   - own: How many transactions the caller itself has open, which are not in the way.
    ///   - closingGate: Whether other threads must wait meanwhile before they begin a read transaction, unless they
    ///     have one open.
    ///   - isDone: Whether another thread has done meanwhile what the closure is to do.
    func whenQuiet(
        or code: LMDBError.Code, in operation: String, within timeout: Duration, excluding own: Int = 0,
        closingGate: Bool = false, unless isDone: (borrowing State) -> Bool = { _ in false },
        _ body: (inout State) -> Void
    ) throws(LMDBError) {
        let thread = currentThread()
        raiseBarrier()
        if closingGate { state.withLock { $0.gates += 1 } }
        defer {
            if closingGate {
                state.withLock { $0.gates -= 1 }
                state.wakeAll()
            }
            lowerBarrier()
        }
        let done: Void? = try state.wait(within: timeout) { state throws(LMDBError) in
            if isDone(state) { return () }
            if isQuiet(state, excluding: own) {
                try checkIsOpen(&state)
                return body(&state)
            }
            if state.hasReader(of: thread) { throw LMDBError(code, in: operation, path: path) }
            return nil
        }
        if done == nil { throw LMDBError(code, in: operation, path: path) }
    }

    private func raiseBarrier() { barriers.add(1, ordering: .sequentiallyConsistent) }

    private func lowerBarrier() { barriers.subtract(1, ordering: .sequentiallyConsistent) }

    /// Has whoever waits for a moment without transactions look whether it has come.
    func wakeBarriers() {
        guard barriers.load(ordering: .sequentiallyConsistent) > 0 else { return }
        state.withLock { _ in }  // who looked before the change is waiting by now
        state.wakeAll()
    }

    /// Maps the file anew; 0 is the size that the file itself records.
    ///
    /// liblmdb gives the old map up first. When the system then refuses the new one, the environment has none, and the
    /// next transaction would crash: it is opened anew, with a map that the system grants.
    func remap(_ size: Int, _ state: inout State) {
        let code = unsafe Calls.setMapSize(pointer, size)
        if code == 0 {
            state.mapGeneration += 1
        } else if code != LMDBError.Code.invalidArgument.rawValue {
            reopen(&state)
        }
    }

    /// Whether the system would grant that much address space: liblmdb unmaps the old map before it asks.
    private static func canMap(_ size: Int) -> Bool {
        let map = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0)
        guard let map = unsafe map, unsafe map != MAP_FAILED else { return false }
        unsafe munmap(map, size)
        return true
    }
}
