// The begin of liblmdb's write transaction, under the guard of its lock where the system needs a guard.

extension SharedEnvironment {
    /// Begins a transaction of liblmdb. After the commit or abort of a write, `writerGuard` is released.
    ///
    /// - Returns: The code of liblmdb, or of `writerLockOrphaned`.
    func beginInLibrary(_ made: inout TransactionPointer?, readOnly: Bool) -> Int32 {
        guard let writerGuard, !readOnly else {
            return unsafe Calls.begin(pointer, parent: nil, readOnly: readOnly, &made)
        }
        let taken = writerGuard.take()
        guard taken == 0 else { return taken }
        let code = unsafe Calls.begin(pointer, parent: nil, readOnly: false, &made)
        if code != 0 { writerGuard.release() }
        return code
    }

    /// The error of a write that would wait for a dead writer. Its limit is the number of the process.
    var writerLockOrphaned: LMDBError {
        LMDBError(.writerLockOrphaned, in: "write", path: path, limit: writerGuard?.markedProcess)
    }

    /// Opens the lock file for the guard, before liblmdb opens it; nil without a guard, and for a new lock file.
    static func prepareGuard(
        of place: EnvironmentPlace, _ options: EnvironmentOptions
    ) throws(LMDBError) -> LockFileDescriptor? {
        guard options.guardsWriters, let lockFile = try LockFileDescriptor(place.lockFile) else { return nil }
        try WriterGuard.removeStaleMark(in: lockFile, dataFile: place.dataFile)
        return lockFile
    }

    /// Returns the guard of an environment that liblmdb has opened; nil without a guard.
    ///
    /// - Parameter prepared: The lock file as `prepareGuard` has opened it.
    static func makeGuard(
        of environment: OpaquePointer, _ place: EnvironmentPlace, _ options: EnvironmentOptions,
        _ prepared: LockFileDescriptor?
    ) throws(LMDBError) -> WriterGuard? {
        guard options.guardsWriters else { return nil }
        var lockFile = prepared
        if lockFile == nil { lockFile = try LockFileDescriptor(place.lockFile) }
        guard let lockFile else { return nil }
        return try WriterGuard(lockFile, dataFile: unsafe Calls.descriptor(environment))
    }
}

extension EnvironmentOptions {
    /// Whether the writers of the environment have a guard.
    fileprivate var guardsWriters: Bool { !hasRobustMutexes && !isReadOnly && !isTemporary && !isLockless }
}
