// Where an environment lies: its canonical path, its layout, and how a new one is brought into being whole.

import CLMDB

/// The files of one environment.
struct EnvironmentPlace {
    /// What liblmdb is given: the directory, or the data file itself.
    let path: String
    let isDirectory: Bool
    let identity: FileIdentity
    let fileSize: Int
    private let links: Int

    var dataFile: String { isDirectory ? path + "/data.mdb" : path }
    var lockFile: String { isDirectory ? path + "/lock.mdb" : path + "-lock" }
    var flags: Int32 { isDirectory ? 0 : MDB_NOSUBDIR }

    /// Looks at a path, refuses what cannot be an environment, and creates a new one where there is nothing.
    init(path: String, options: EnvironmentOptions) throws(LMDBError) {
        guard !path.utf8.contains(0) else { throw LMDBError(.invalidArgument, in: "open", path: path) }
        let canonical = try FileCalls.canonicalPath(of: path)
        let (directory, name) = FileCalls.split(canonical)
        let isWholeDirectory = try FileCalls.status(of: canonical)?.kind == .directory
        // The data file of a directory, opened by its own name, must not get a second lock file.
        let isDataFile = !isWholeDirectory && name == "data.mdb"
        isDirectory = isWholeDirectory || isDataFile
        self.path = isDataFile ? directory : canonical
        let dataFile = isDirectory ? self.path + "/data.mdb" : self.path
        if try FileCalls.status(of: dataFile) == nil {
            guard !options.isReadOnly else { throw LMDBError(.noSuchFile, in: "open", path: dataFile) }
            try Self.create(dataFile, mode: options.fileMode)
        }
        guard let status = try FileCalls.status(of: dataFile) else {
            throw LMDBError(.noSuchFile, in: "open", path: dataFile)
        }
        guard status.kind == .regular else { throw LMDBError(.notAFile, in: "open", path: dataFile) }
        guard status.size > 0 else { throw LMDBError(.emptyFile, in: "open", path: dataFile) }
        try FileHead.check(dataFile)
        identity = status.identity
        fileSize = status.size
        links = status.links
    }

    /// Refuses a file with several names, which two processes could open with two lock files.
    ///
    /// A second name that is only the remainder of a creation (see `create`) is removed instead.
    func refuseHardLinks() throws(LMDBError) {
        guard links > 1 else { return }
        let (directory, name) = FileCalls.split(dataFile)
        for leftover in FileCalls.names(in: directory, withPrefix: name + Self.creationMark) {
            let path = directory + "/" + leftover
            if try FileCalls.status(of: path)?.identity == identity { FileCalls.remove(path) }
        }
        if let status = try FileCalls.status(of: dataFile), status.links > 1 {
            throw LMDBError(.hardLinked, in: "open", path: dataFile)
        }
    }

    /// Refuses a disk without room for a lock file that liblmdb still has to make: it maps the file, and would crash.
    func checkRoomForLockFile(readers: Int) throws(LMDBError) {
        guard try FileCalls.status(of: lockFile) == nil else { return }
        // A slot of 64 bytes for each reader, and a page or two for the rest.
        let needed = 64 * UInt64(UInt32(clamping: readers)) + 8192
        if let available = try ReadableFile(dataFile).availableBytes, available < needed {
            throw LMDBError(.diskFull, in: "open", path: lockFile)
        }
    }

    private static let creationMark = ".new-"

    /// Makes an empty environment under a temporary name, flushes it, and links it to its own name, so that a cut at
    /// any moment leaves either nothing or a whole file. Who comes second opens the winner's.
    private static func create(_ dataFile: String, mode: UInt16) throws(LMDBError) {
        let temporary = dataFile + creationMark + String(UInt64.random(in: 0...UInt64.max), radix: 36)
        var made: OpaquePointer?
        var code = unsafe Calls.create(&made)
        guard code == 0, let environment = unsafe made else {
            throw LMDBError(.init(code), in: "mdb_env_create", path: dataFile)
        }
        defer { FileCalls.remove(temporary) }
        code = unsafe Calls.open(environment, path: temporary, flags: MDB_NOSUBDIR | MDB_NOLOCK, mode: mode)
        unsafe Calls.close(environment)
        guard code == 0 else { throw LMDBError(.init(code), in: "mdb_env_open", path: dataFile) }
        try FileCalls.synchronize(temporary)
        try FileCalls.linkUnlessTaken(temporary, as: dataFile)
        try FileCalls.synchronize(FileCalls.split(dataFile).directory)
    }
}
