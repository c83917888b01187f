// The size of the map: doubled before it is needed, adopted when another process enlarged it, and only ever changed
// while no transaction of this process is open, since liblmdb maps the file anew.

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
        let info = unsafe Calls.info(pointer)
        let used = unsafe (info.me_last_pgno + 1) * Int(Calls.statistics(pointer).ms_psize)
        let mapSize = unsafe info.me_mapsize
        guard used > mapSize - mapSize / 4, Self.canMap(2 * mapSize) else { return }
        state.withLock { state in
            guard state.active == 0 else { return }
            _ = unsafe Calls.setMapSize(pointer, 2 * mapSize)
        }
    }

    /// Takes over the size that another process gave the map, as soon as no transaction of this process is open.
    ///
    /// - Throws: `mapResizedElsewhere` when the calling thread's own transaction stands in the way, or when others do
    ///   for longer than the busy timeout.
    func adoptMap() throws(LMDBError) {
        let timeout = options.busyTimeout
        let deadline = ContinuousClock.now + timeout
        let thread = currentThread()
        try quiet.withLock { () throws(LMDBError) in
            while true {
                let outcome = state.withLock { state -> Int32? in
                    if state.active == 0 { return unsafe Calls.setMapSize(pointer, 0) }
                    if state.readers.contains(where: { $0.isOwned(by: thread) }) {
                        return LMDBError.Code.mapResizedElsewhere.rawValue
                    }
                    state.waiting += 1
                    return nil
                }
                if let outcome {
                    guard outcome == 0 else { throw LMDBError(.init(outcome), in: "mdb_env_set_mapsize", path: path) }
                    return
                }
                let left = deadline - ContinuousClock.now
                let inTime = left > .zero && quiet.wait(for: left)
                state.withLock { $0.waiting -= 1 }
                guard inTime else { throw LMDBError(.mapResizedElsewhere, in: "read", path: path) }
            }
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
