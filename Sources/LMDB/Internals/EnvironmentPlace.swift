// Where an environment lies: its canonical path, its layout, and what stands in the way of opening it.

import CLMDB

/// The files of one environment.
struct EnvironmentPlace {
    /// What liblmdb is given: the directory, or the data file itself.
    let path: String
    let isDirectory: Bool
    let identity: FileIdentity
    private let links: Int

    var dataFile: String { isDirectory ? path + "/data.mdb" : path }
    var lockFile: String { isDirectory ? path + "/lock.mdb" : path + "-lock" }
    var flags: Int32 { isDirectory ? 0 : MDB_NOSUBDIR }

    /// Looks at a path, refuses what cannot be an environment, and creates a new one where there is nothing.
    init(path: String, options: EnvironmentOptions) throws(LMDBError) {
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
        if try FileCalls.status(of: dataFile) == nil {
            guard !options.isReadOnly else { throw LMDBError(.noSuchFile, in: "open", path: dataFile) }
            try NewFile.create(dataFile, options)
        }
        guard let status = try FileCalls.status(of: dataFile) else {
            throw LMDBError(.noSuchFile, in: "open", path: dataFile)
        }
        guard status.kind == .regular else { throw LMDBError(.notAFile, in: "open", path: dataFile) }
        guard status.size > 0 else { throw LMDBError(.emptyFile, in: "open", path: dataFile) }
        try FileHead.check(dataFile)
        identity = status.identity
        links = status.links
    }

    /// Refuses a file with several names, which two processes could open with two lock files.
    ///
    /// Names that its creation gives or has given it do not count: nobody opens the file under one of those. But
    /// whoever sees one cannot know that the directory was flushed, and what is committed now must not lose its name.
    func refuseHardLinks() throws(LMDBError) {
        guard links > 1 else { return }
        try FileCalls.synchronize(FileCalls.split(dataFile).directory)
        NewFile.removeRemainders(of: dataFile)
        for _ in 0..<8 {
            let temporary = try NewFile.temporaryNames(of: dataFile, identity)
            let links = try FileCalls.status(of: dataFile)?.links ?? 1
            // One that its creation has removed between the two counts must not stand for another name.
            guard try NewFile.temporaryNames(of: dataFile, identity) == temporary else { continue }
            if links <= 1 + temporary { return }
            break
        }
        throw LMDBError(.hardLinked, in: "open", path: dataFile)
    }

    /// Gives the lock file its place on the disk before liblmdb maps it, which on a full disk would crash whoever takes
    /// a slot that has none yet.
    ///
    /// It gets the data file's mode, with the permission to write for all who may read: without a place in the lock
    /// file nobody can read safely.
    ///
    /// - Throws: `fileReplaced` where another environment of this process has the lock file open, whose data file was
    ///   at this place before: the two would drop each other's locks.
    func makeRoomForLockFile(_ options: EnvironmentOptions) throws(LMDBError) {
        guard !OpenLocks.shared.contains(lockFile) else { throw LMDBError(.fileReplaced, in: "open", path: dataFile) }
        // A header of 192 bytes that holds one slot of 64, and the other slots.
        let size = 128 + 64 * max(Int(UInt32(clamping: options.maximumReaders)), 1)
        do throws(LMDBError) {
            try FileCalls.allocate(lockFile, size: size, like: dataFile)
        } catch  where error.code != .diskFull {
            // No permission, or no such call on this file system: liblmdb will say what it cannot do without.
        }
    }
}
