// The size of the map. The map is doubled before it is full, and adopted when another process has enlarged it. It
// changes only while no transaction of this process is open, since liblmdb maps the file again.

import CTroveLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension SharedEnvironment {
    /// Doubles the map if less than a quarter of it is free, or a transaction did not fit into it. Leaves it to a later
    /// writer if a transaction is open.
    ///
    /// If less than an eighth is free, or a transaction did not fit, and readers leave no moment without transactions,
    /// this method creates such a moment: new readers wait briefly while the open readers end. If a reader stays open
    /// longer, the next wait comes only when another part of the map has filled up.
    ///
    /// - Returns: The number of bytes of the map in use.
    func growMapIfNeeded() -> Int {
        let (used, isPatient) = state.withLock { state in
            guard state.failure == nil, !state.isClosed else { return (0, false) }
            let (used, mapSize) = mapUse()
            let wasTooSmall = mapWasTooSmall.load(ordering: .relaxed)
            guard options.growsMap, wasTooSmall || used > mapSize - mapSize / 4 else { return (used, false) }
            raiseBarrier()
            defer { lowerBarrier() }
            if isQuiet(state) {
                doubleMap(&state)
                return (used, false)
            }
            guard wasTooSmall || used > mapSize - mapSize / 8 && used >= state.nextPatientGrowth else {
                return (used, false)
            }
            state.nextPatientGrowth = used + mapSize / 32
            return (used, true)
        }
        guard isPatient else { return used }
        do throws(LMDBError) {
            try whenQuiet(or: .busy, in: "growMap", within: .milliseconds(100), closingGate: true) { doubleMap(&$0) }
        } catch {
            // No such moment came. The transaction may still fit; otherwise it throws `mapFull`.
        }
        return used
    }

    /// Returns whether less than a quarter of the map is free, and other processes have used more of it since. For an
    /// open writer.
    func isMapScarce(since before: Int) -> Bool {
        let (used, mapSize) = mapUse()
        return options.growsMap && used > before && used > mapSize - mapSize / 4
    }

    private func doubleMap(_ state: inout State) {
        let (_, mapSize) = mapUse()
        mapWasTooSmall.store(false, ordering: .relaxed)
        if Self.canMap(2 * mapSize) { remap(2 * mapSize, &state) }
    }

    /// Returns the number of bytes used by the file, and the size of the map. Called only where no other thread can
    /// remap.
    private func mapUse() -> (used: Int, mapSize: Int) {
        unsafe Self.mapUse(of: pointer)
    }

    /// Returns the number of bytes used by the file, and the size of the map.
    static func mapUse(of pointer: OpaquePointer) -> (used: Int, mapSize: Int) {
        let info = unsafe Calls.info(pointer)
        let pageSize = Int(unsafe Calls.statistics(pointer).ms_psize)
        return unsafe (Calls.usedSize(info, pageSize: pageSize), info.me_mapsize)
    }

    /// Counts the size of the map among the maps of this process.
    func noteMapSize() {
        let size = unsafe Calls.info(pointer).me_mapsize
        AddressSpace.shared.note(size - mappedSize)
        mappedSize = size
    }

    /// Adopts the map size of another process, as soon as no transaction of this process is open.
    ///
    /// - Parameters:
    ///   - generation: The generation of the map that was too small.
    ///   - attempts: The number of adoptions by the caller for the same transaction.
    /// - Throws: `mapResizedElsewhere` when the calling thread has a transaction open, or when other transactions stay
    ///   open for longer than the busy timeout; `corrupted` when no map is ever large enough.
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
    ///   - code: The error code if the calling thread has a reader open, or if other transactions stay open for longer
    ///     than the timeout.
    ///   - operation: The operation, for errors.
    ///   - timeout: The maximum time to wait.
    ///   - own: The number of the caller's own open transactions, excluded from the count.
    ///   - closingGate: Whether other threads must wait before they begin a read transaction, unless they have one
    ///     open.
    ///   - isDone: Whether another thread has already done the work of the closure.
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

    func raiseBarrier() { barriers.add(1, ordering: .sequentiallyConsistent) }

    func lowerBarrier() { barriers.subtract(1, ordering: .sequentiallyConsistent) }

    /// Wakes threads that wait for all transactions to end.
    func wakeBarriers() {
        guard barriers.load(ordering: .sequentiallyConsistent) > 0 else { return }
        state.withLock { _ in }  // a thread that checked before the change is waiting by now
        state.wakeAll()
    }

    /// Maps the file again; 0 selects the size recorded in the file.
    ///
    /// liblmdb removes the old map first. If the system then refuses the new map, the environment has none, and the
    /// next transaction would crash. In this case the environment is opened again, with a map granted by the system.
    func remap(_ size: Int, _ state: inout State) {
        let code = unsafe Calls.setMapSize(pointer, size)
        if code == 0 {
            state.mapGeneration += 1
            noteMapSize()
        } else if code != LMDBError.Code.invalidArgument.rawValue {
            reopen(&state)
        }
    }

    /// Returns whether the system would grant `size` bytes of address space: liblmdb unmaps the old map before it
    /// requests the new one.
    static func canMap(_ size: Int) -> Bool {
        let size = roundedToPages(max(size, 1))
        let map = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0)
        guard let map = unsafe map, unsafe map != MAP_FAILED else { return false }
        unsafe munmap(map, size)
        return true
    }
}
