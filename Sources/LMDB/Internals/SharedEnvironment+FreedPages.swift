// Pages freed by the last commit, where space is short.
//
// liblmdb uses a freed page again only when the commit that freed it is not the last commit: a reader of the commit
// before may still need the page. A transaction that finds no other page fails, and a failed transaction is not a
// commit. So after a delete in a full file, every write that needs the freed pages would fail, however often it is
// repeated. A commit in between makes the pages usable:
//
//     delete: frees pages ── spacer: a commit that changes nothing ── write: uses the pages

import CTroveLMDB

extension SharedEnvironment {
    /// The number of pages freed by a commit from which the next transaction may need them.
    private static let manyPages = 16

    /// Returns whether the next write transaction may need pages that the last commit has freed: the last write has
    /// failed for want of space, or space is short and the last commit has freed many pages. Called by the writer that
    /// has the turn.
    func needsFreedPages() -> Bool {
        if hasLackedSpace.load(ordering: .relaxed) {
            hasLackedSpace.store(false, ordering: .relaxed)
            return true
        }
        guard !options.growsMap || fullAt.load(ordering: .relaxed) > 0 else { return false }
        do throws(LMDBError) {
            let (used, mapSize, last) = try unsafe withMap { pointer in
                let (used, mapSize) = unsafe Self.mapUse(of: pointer)
                return (used, mapSize, unsafe Calls.info(pointer).me_last_txnid)
            }
            let isFull = !options.growsMap && used > mapSize - mapSize / 8
            // A file that is much larger now has found space.
            guard isFull || used <= fullAt.load(ordering: .relaxed) else { return false }
            return try freedPages(by: last) >= Self.manyPages
        } catch {
            // The write itself reports the error.
            return false
        }
    }

    /// Notes that a write has failed for want of space.
    func noteLackOfSpace(_ error: LMDBError) {
        guard error.code == .mapFull || error.code == .diskFull else { return }
        hasLackedSpace.store(true, ordering: .relaxed)
        if error.code == .mapFull { mapWasTooSmall.store(true, ordering: .relaxed) }
        do throws(LMDBError) {
            let used = try unsafe withMap { unsafe Self.mapUse(of: $0).used }
            // A delete takes some pages, too.
            fullAt.store(used + used / 8, ordering: .relaxed)
        } catch {
            // The environment is closed: there is no later write.
        }
    }

    /// Returns the number of pages freed by a commit, if it is the last commit.
    private func freedPages(by commit: Int) throws(LMDBError) -> Int {
        let reader = try beginRead()
        defer { reader.endRead() }
        return reader.freedPages(by: commit)
    }
}

extension TransactionCore {
    /// Returns the number of pages freed by a commit, in a read transaction of this commit.
    fileprivate func freedPages(by commit: Int) -> Int {
        guard let pointer = unsafe pointer else { return 0 }
        var cursor: CursorPointer?
        // The freelist: the number of a commit, then the pages that it freed, their number first.
        guard unsafe Calls.openCursor(pointer, 0, &cursor) == 0, let cursor = unsafe cursor else { return 0 }
        defer { unsafe Calls.close(cursor: cursor) }
        var key = unsafe MDB_val()
        var value = unsafe MDB_val()
        guard unsafe Calls.get(cursor, &key, &value, MDB_LAST) == 0, unsafe key.mv_size == MemoryLayout<Int>.size,
            unsafe key.bytes.loadUnaligned(as: Int.self) == commit,
            unsafe value.mv_size >= MemoryLayout<Int>.size
        else { return 0 }
        return unsafe value.bytes.loadUnaligned(as: Int.self)
    }

    /// Commits a change that leaves the contents as they are.
    func commitSpacer() throws(LMDBError) {
        guard let pointer = unsafe pointer else { return }
        var handle: Handle = 0
        var code = unsafe Calls.openDatabase(pointer, nil, create: false, &handle)
        // No database has a name with a NUL.
        let name: [UInt8] = [0]
        for isStored in [true, false] where code == 0 {
            code = unsafe name.withUnsafeBytes { bytes in
                var key = unsafe MDB_val(bytes)
                var value = unsafe MDB_val()
                return isStored
                    ? unsafe Calls.put(pointer, handle, &key, &value, 0) : unsafe Calls.delete(pointer, handle, &key)
            }
        }
        guard code == 0 else { throw failed(code, in: "mdb_put") }
        try commit()
    }
}
