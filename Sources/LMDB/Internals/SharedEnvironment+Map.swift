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
    func growMapIfNeeded() {
        state.withLock { state in
            guard state.active == 0, state.mapFailure == nil else { return }
            let info = unsafe Calls.info(pointer)
            let used = unsafe (info.me_last_pgno + 1) * Int(Calls.statistics(pointer).ms_psize)
            let mapSize = unsafe info.me_mapsize
            guard used > mapSize - mapSize / 4, Self.canMap(2 * mapSize) else { return }
            remap(2 * mapSize, &state)
        }
    }

    /// Takes over the size that another process gave the map, as soon as no transaction of this process is open.
    ///
    /// - Parameter generation: The map that was found too small.
    /// - Throws: `mapResizedElsewhere` when the calling thread's own transaction stands in the way, or when others do
    ///   for longer than the busy timeout.
    func adoptMap(after generation: Int) throws(LMDBError) {
        try whenQuiet(or: .mapResizedElsewhere, in: "adoptMap", unless: { $0.mapGeneration != generation }) { state in
            remap(0, &state)
        }
    }

    /// Runs a closure at a moment when no transaction of this process is open, and none can begin.
    ///
    /// - Parameters:
    ///   - code: What is thrown when the calling thread's own reader stands in the way, or when other transactions do
    ///     for longer than the busy timeout.
    ///   - operation: What is being done.
    ///   - isDone: Whether another thread has done meanwhile what the closure is to do.
    func whenQuiet(
        or code: LMDBError.Code, in operation: String, unless isDone: (borrowing State) -> Bool = { _ in false },
        _ body: (inout State) -> Void
    ) throws(LMDBError) {
        let deadline = ContinuousClock.now + options.busyTimeout
        let thread = currentThread()
        try quiet.withLock { () throws(LMDBError) in
            while true {
                let isOver = try state.withLock { state throws(LMDBError) -> Bool in
                    if isDone(state) { return true }
                    if state.active == 0 {
                        body(&state)
                        return true
                    }
                    if state.readers.contains(where: { $0.isOwned(by: thread) }) {
                        throw LMDBError(code, in: operation, path: path)
                    }
                    state.waiting += 1
                    return false
                }
                if isOver { return }
                let left = deadline - ContinuousClock.now
                let inTime = left > .zero && quiet.wait(for: left)
                state.withLock { $0.waiting -= 1 }
                guard inTime else { throw LMDBError(code, in: operation, path: path) }
            }
        }
    }

    /// Maps the file anew; 0 is the size that the file itself records.
    ///
    /// liblmdb gives the old map up first. When the system then refuses the new one, the environment has none, and the
    /// next transaction would crash: it is refused instead.
    private func remap(_ size: Int, _ state: inout State) {
        let code = unsafe Calls.setMapSize(pointer, size)
        if code == 0 {
            state.mapGeneration += 1
        } else if code != LMDBError.Code.invalidArgument.rawValue {
            state.mapFailure = LMDBError(.panic, in: "mdb_env_set_mapsize", path: path)
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
