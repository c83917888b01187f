// The few file functions of the system that opening and creating an environment needs; each gives an `errno` on
// failure.

import CLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Which file a path leads to, whatever its name: the device and the inode.
struct FileIdentity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
}

/// What is known of a file without opening it.
struct FileStatus {
    enum Kind { case regular, directory, other }

    var identity: FileIdentity
    var kind: Kind
    var size: Int
    var links: Int
}

enum FileCalls {
    /// Which file a path leads to; nil where there is none, or it cannot be told.
    static func identity(of path: String) -> FileIdentity? {
        #if os(Linux)
        var identity = FileIdentity(device: 0, inode: 0)
        guard unsafe trove_identify(path, &identity.device, &identity.inode) == 0 else { return nil }
        return identity
        #else
        do throws(LMDBError) {
            return try status(of: path)?.identity
        } catch {
            return nil
        }
        #endif
    }

    /// The status of what the path leads to; nil where there is nothing.
    static func status(of path: String) throws(LMDBError) -> FileStatus? {
        var raw = stat()
        guard unsafe stat(path, &raw) == 0 else {
            if errno == ENOENT { return nil }
            throw LMDBError(.init(errno), in: "stat", path: path)
        }
        let kind: FileStatus.Kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            default: .other
            }
        return FileStatus(
            identity: FileIdentity(device: UInt64(truncatingIfNeeded: raw.st_dev), inode: UInt64(raw.st_ino)),
            kind: kind, size: Int(raw.st_size), links: Int(raw.st_nlink))
    }

    /// The one absolute path of a file that may not exist yet: symbolic links are followed, a last one that leads
    /// nowhere included.
    static func canonicalPath(of path: String, depth: Int = 0) throws(LMDBError) -> String {
        if let resolved = unsafe realpath(path, nil) {
            defer { unsafe free(resolved) }
            return unsafe String(cString: resolved)
        }
        guard errno == ENOENT, depth < 32 else { throw LMDBError(.init(errno), in: "realpath", path: path) }
        let (directory, name) = split(path)
        if let target = destination(ofLink: path) {
            return try canonicalPath(of: target.hasPrefix("/") ? target : directory + "/" + target, depth: depth + 1)
        }
        guard !name.isEmpty, let parent = unsafe realpath(directory, nil) else {
            throw LMDBError(.noSuchFile, in: "realpath", path: path)
        }
        defer { unsafe free(parent) }
        let base = unsafe String(cString: parent)
        return base == "/" ? "/" + name : base + "/" + name
    }

    /// A path's directory and last component.
    static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let directory = path[..<slash]
        return (directory.isEmpty ? "/" : String(directory), String(path[path.index(after: slash)...]))
    }

    /// Refuses the lock file of an environment: merely closing it would drop this process's lock on it.
    ///
    /// - Parameter path: A canonical path.
    static func refuseLockFile(_ path: String) throws(LMDBError) {
        let (directory, name) = split(path)
        let suffix = "-lock"
        var dataFile: String?
        if name == "lock.mdb" { dataFile = directory + "/data.mdb" }
        if name.hasSuffix(suffix) { dataFile = String(path.dropLast(suffix.count)) }
        guard let dataFile, try status(of: dataFile) != nil else { return }
        throw LMDBError(.invalid, in: "open", path: path)
    }

    private static func destination(ofLink path: String) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let length = unsafe readlink(path, start, 4096)
            guard length > 0 else { return nil }
            let bytes = unsafe UnsafeRawBufferPointer(buffer).prefix(length)
            return unsafe String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The space that is left on the volume of an open file, for who is not its administrator; nil where nothing can be
    /// written at all, or the system does not say.
    static func availableBytes(_ descriptor: Int32) -> UInt64? {
        var volume = statvfs()
        guard unsafe fstatvfs(descriptor, &volume) == 0, volume.f_flag & UInt(ST_RDONLY) == 0 else { return nil }
        let (bytes, overflow) = UInt64(volume.f_bavail).multipliedReportingOverflow(by: UInt64(volume.f_frsize))
        return overflow ? .max : bytes
    }

    /// The space that is left on the volume of a file's directory: the file itself may have no name any more.
    static func availableBytes(beside path: String) -> UInt64? {
        let descriptor = unsafe open(split(path).directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return availableBytes(descriptor)
    }

    /// Has the disk set aside all the bytes of a file, which is created with a size where there is none.
    ///
    /// - Parameter model: The file whose readers may write a new one, and whose owner it gets where that is possible.
    static func allocate(_ path: String, size: Int, like model: String) throws(LMDBError) {
        #if os(Linux)
        var modelStatus = stat()
        guard unsafe stat(model, &modelStatus) == 0 else { throw LMDBError(.init(errno), in: "stat", path: model) }
        var descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            // The owner first: others may not open it before its mode says so. Only the administrator can give files
            // away; for anybody else it stays as it is.
            _ = fchown(descriptor, modelStatus.st_uid, modelStatus.st_gid)
            let mode = modelStatus.st_mode & 0o666
            _ = fchmod(descriptor, mode | (mode & 0o444) >> 1)
        } else {
            descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
        }
        guard descriptor >= 0 else { throw LMDBError(.init(errno), in: "open", path: path) }
        defer { close(descriptor) }
        var raw = stat()
        guard unsafe fstat(descriptor, &raw) == 0 else { throw LMDBError(.init(errno), in: "fstat", path: path) }
        let code = trove_allocate(descriptor, raw.st_size == 0 ? Int64(size) : Int64(raw.st_size))
        // An empty file stays: another process may have opened it by now.
        guard code == 0 else { throw LMDBError(.init(code), in: "fallocate", path: path) }
        #endif
    }

    /// Flushes a file or directory to disk.
    static func synchronize(_ path: String) throws(LMDBError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(.init(errno), in: "open", path: path) }
        defer { close(descriptor) }
        #if canImport(Darwin)
        // There, fsync leaves the data in the drive's own memory. Not every file system knows the other call.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw LMDBError(.init(errno), in: "fsync", path: path) }
    }

    /// Gives a file a second name, unless that name is taken.
    static func linkUnlessTaken(_ path: String, as newPath: String) throws(LMDBError) {
        guard unsafe link(path, newPath) != 0, errno != EEXIST else { return }
        throw LMDBError(.init(errno), in: "link", path: newPath)
    }

    /// The names in a directory that begin with a prefix.
    static func names(in directory: String, withPrefix prefix: String) -> [String] {
        guard let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name), let stream = unsafe opendir(directory) else {
            return []
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // By its place alone: an entry ends with its name, and whoever copies all of `d_name` reads beyond it.
            let start = unsafe UnsafeRawPointer(entry) + nameOffset
            let name = unsafe String(cString: start.assumingMemoryBound(to: CChar.self))
            if name.hasPrefix(prefix) { names.append(name) }
        }
        return names
    }

    /// Removes a name; a name that is not there is fine.
    static func remove(_ path: String) { _ = unsafe unlink(path) }
}

/// A file that is open for reading.
struct ReadableFile: ~Copyable {
    let path: String
    private let descriptor: Int32

    /// Opens a file, unless it is a lock file that must not be closed again.
    init(_ path: String) throws(LMDBError) {
        let isOpenLock = OpenLocks.shared.contains(path)
        descriptor = isOpenLock ? -1 : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw LMDBError(isOpenLock ? .invalid : .init(errno), in: "open", path: path)
        }
        self.path = path
    }

    deinit { close(descriptor) }

    /// The size of the file as it is now.
    var size: Int {
        get throws(LMDBError) {
            var raw = stat()
            guard unsafe fstat(descriptor, &raw) == 0 else { throw LMDBError(.init(errno), in: "fstat", path: path) }
            return Int(raw.st_size)
        }
    }

    /// The space that is left on its volume; see `FileCalls.availableBytes`.
    var availableBytes: UInt64? { FileCalls.availableBytes(descriptor) }

    /// The bytes at an offset; fewer than asked for, which must be some, where the file ends.
    func bytes(at offset: Int, count: Int) throws(LMDBError) -> [UInt8] {
        var length = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            length = unsafe pread(descriptor, buffer.baseAddress, count, off_t(offset))
            initialized = max(0, length)
        }
        guard length >= 0 else { throw LMDBError(.init(errno), in: "pread", path: path) }
        return bytes
    }
}
