// The location of an environment: its canonical path, its layout, and the checks before it is opened.

import CTroveLMDB

/// The files of an environment.
struct EnvironmentPlace {
    /// The path passed to liblmdb: the directory, or the data file itself.
    let path: String
    let isDirectory: Bool
    let identity: FileIdentity
    private let links: Int

    var dataFile: String { isDirectory ? path + "/data.mdb" : path }
    var lockFile: String { isDirectory ? path + "/lock.mdb" : path + "-lock" }
    var flags: Int32 { isDirectory ? 0 : MDB_NOSUBDIR }

    /// Inspects a path, rejects paths that cannot be an environment, and creates a new environment if there is no file.
    ///
    /// - Parameter checksHead: Whether to reject a file that liblmdb would not open.
    init(path: String, options: EnvironmentOptions, checksHead: Bool = true) throws(LMDBError) {
        guard !path.utf8.contains(0) else { throw LMDBError(.invalidArgument, in: "open", path: path) }
        let canonical = try FileCalls.canonicalPath(of: path)
        try FileCalls.refuseLockFile(canonical)
        let (directory, name) = FileCalls.split(canonical)
        let isWholeDirectory = try FileCalls.status(of: canonical)?.kind == .directory
        // The data file of a directory, opened by its own name, must not get a second lock file.
        let isDataFile = !isWholeDirectory && name == "data.mdb"
        isDirectory = isWholeDirectory || isDataFile
        self.path = isDataFile ? directory : canonical
        let dataFile = isDirectory ? self.path + "/data.mdb" : self.path
        let isNew = try FileCalls.status(of: dataFile) == nil
        try options.check(path: dataFile, isNew: isNew)
        if isNew {
            guard options.createsInDirectory || !isWholeDirectory else {
                throw LMDBError(.isADirectory, in: "open", path: canonical)
            }
            guard !options.isReadOnly else { throw LMDBError(.noSuchFile, in: "open", path: dataFile) }
            try NewFile.create(dataFile, options)
        }
        guard let status = try FileCalls.status(of: dataFile) else {
            throw LMDBError(.noSuchFile, in: "open", path: dataFile)
        }
        guard status.kind == .regular else { throw LMDBError(.notAFile, in: "open", path: dataFile) }
        guard status.size > 0 else { throw LMDBError(.emptyFile, in: "open", path: dataFile) }
        if checksHead { try FileHead.check(dataFile) }
        identity = status.identity
        links = status.links
    }

    /// Refuses a file with several names: two processes could open it with two lock files.
    ///
    /// Temporary names from the creation of the file do not count, nor do names from an unfinished conversion: no
    /// process opens the file under such a name. But a temporary name may mean that the directory was not flushed. It
    /// is flushed here, so later commits cannot lose the file's name.
    func refuseHardLinks() throws(LMDBError) {
        guard links > 1 else { return }
        try FileCalls.synchronize(FileCalls.split(dataFile).directory)
        NewFile.removeRemainders(of: dataFile)
        for _ in 0..<8 {
            let temporary = try NewFile.temporaryNames(of: dataFile, identity) + originalNames()
            let links = try FileCalls.status(of: dataFile)?.links ?? 1
            // A temporary name removed by the creator between the two counts must not hide another name.
            guard try NewFile.temporaryNames(of: dataFile, identity) + originalNames() == temporary else { continue }
            if links <= 1 + temporary { return }
            break
        }
        throw LMDBError(.hardLinked, in: "open", path: dataFile)
    }

    /// Returns the number of names under which an unfinished conversion has kept the file.
    private func originalNames() throws(LMDBError) -> Int {
        let (directory, name) = FileCalls.split(dataFile)
        var count = 0
        for name in FileCalls.names(in: directory, withPrefix: name + ".lmdb-")
        where try FileCalls.status(of: directory + "/" + name)?.identity == identity {
            count += 1
        }
        return count
    }

    /// Allocates the lock file on disk before liblmdb maps it. On a full disk, a process would crash when it takes an
    /// unallocated slot.
    ///
    /// The lock file gets the data file's mode, plus write permission for every user who may read: reading is only safe
    /// with a slot in the lock file.
    ///
    /// - Throws: `fileReplaced` if the lock file is open in another environment of this process, whose data file was at
    ///   this path before. The two environments would drop each other's locks.
    func makeRoomForLockFile(_ options: EnvironmentOptions) throws(LMDBError) {
        guard !OpenLocks.shared.contains(lockFile) else { throw LMDBError(.fileReplaced, in: "open", path: dataFile) }
        // A header of 192 bytes, including the first slot of 64 bytes, and the other slots.
        let size = 128 + 64 * options.maximumReaders
        do throws(LMDBError) {
            try FileCalls.allocate(lockFile, size: size, like: dataFile)
        } catch  where error.code != .diskFull {
            // No permission, or no such call on this file system: liblmdb reports the error if it cannot work without
            // the space.
        }
        #if canImport(Darwin)
        let code = ProtectionCalls.createLockFile(lockFile, beside: dataFile, mode: options.fileMode)
        guard code == 0 || options.isReadOnly else { throw LMDBError(.init(code), in: "open", path: lockFile) }
        #endif
    }
}
