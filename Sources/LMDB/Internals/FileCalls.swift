// The file functions of the system for opening and creating environments; each throws an `errno` on failure.

import CTroveShims

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

enum FileCalls {
    /// Returns the identity of the file at a path; nil if there is none, or it cannot be determined.
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

    /// Returns the status of the file at a path; nil if there is none.
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

    /// Returns the canonical absolute path of a file that may not exist yet. Symbolic links are followed, including a
    /// last link with no target.
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

    /// Returns a path's directory and last component.
    static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let directory = path[..<slash]
        return (directory.isEmpty ? "/" : String(directory), String(path[path.index(after: slash)...]))
    }

    /// Rejects the lock file of an environment: merely closing it would drop this process's lock on it.
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

    /// Returns the free space for ordinary users on the volume of an open file; nil if the volume is read-only, or the
    /// system does not report it.
    static func availableBytes(_ descriptor: Int32) -> UInt64? {
        var volume = statvfs()
        guard unsafe fstatvfs(descriptor, &volume) == 0, volume.f_flag & UInt(ST_RDONLY) == 0 else { return nil }
        let (bytes, overflow) = UInt64(volume.f_bavail).multipliedReportingOverflow(by: UInt64(volume.f_frsize))
        return overflow ? .max : bytes
    }

    /// Returns the free space on the volume of a file's directory: the file itself may no longer have a name.
    static func availableBytes(beside path: String) -> UInt64? {
        let descriptor = unsafe open(split(path).directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return availableBytes(descriptor)
    }

    /// Allocates all bytes of a file on disk. A missing file is created with the size.
    ///
    /// - Parameter model: The file whose readers may write the new file, and whose owner it gets if possible.
    static func allocate(_ path: String, size: Int, like model: String) throws(LMDBError) {
        #if os(Linux)
        var modelStatus = stat()
        guard unsafe stat(model, &modelStatus) == 0 else { throw LMDBError(.init(errno), in: "stat", path: model) }
        var descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            // The owner first: other users may not open the file before its mode allows it. Only the administrator can
            // change the owner; for other users it stays the same.
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
        // An empty file remains: another process may have opened it by now.
        guard code == 0 else { throw LMDBError(.init(code), in: "fallocate", path: path) }
        #endif
    }

    /// Writes a number, in the machine's byte order, at an offset of a file.
    static func write(_ number: UInt64, at offset: Int, in path: String) throws(LMDBError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(.init(errno), in: "open", path: path) }
        defer { close(descriptor) }
        let size = MemoryLayout<UInt64>.size
        let written = unsafe withUnsafeBytes(of: number) {
            unsafe pwrite(descriptor, $0.baseAddress, size, off_t(offset))
        }
        guard written == size else {
            throw LMDBError(written < 0 ? .init(errno) : .inputOutput, in: "pwrite", path: path)
        }
    }

    /// Gives a file the owner, the mode and the extended attributes of another one, as far as this user may; on
    /// Darwin, also its protection.
    static func copyAttributes(from path: String, to newPath: String) throws(LMDBError) {
        let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw LMDBError(.init(errno), in: "open", path: path) }
        defer { close(source) }
        let target = unsafe open(newPath, O_RDWR | O_CLOEXEC)
        guard target >= 0 else { throw LMDBError(.init(errno), in: "open", path: newPath) }
        defer { close(target) }
        var raw = stat()
        guard unsafe fstat(source, &raw) == 0 else { throw LMDBError(.init(errno), in: "fstat", path: path) }
        // The owner first: other users may not open the file before its mode allows it.
        _ = fchown(target, raw.st_uid, raw.st_gid)
        trove_copy_attributes(source, target)
        #if canImport(Darwin)
        ProtectionCalls.copyClass(from: source, to: target)
        #endif
        guard fchmod(target, raw.st_mode & 0o7777) == 0 else {
            throw LMDBError(.init(errno), in: "fchmod", path: newPath)
        }
    }

    /// Puts a file in the place of another one, or gives it a new name.
    static func rename(_ path: String, to newPath: String) throws(LMDBError) {
        guard systemRename(path, newPath) == 0 else {
            throw LMDBError(.init(errno), in: "rename", path: newPath)
        }
    }

    /// Flushes a file or directory to disk.
    static func synchronize(_ path: String) throws(LMDBError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(.init(errno), in: "open", path: path) }
        defer { close(descriptor) }
        #if canImport(Darwin)
        // On Darwin, fsync leaves the data in the drive's cache. Not every file system supports F_FULLFSYNC.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw LMDBError(.init(errno), in: "fsync", path: path) }
    }

    /// Links a file to a second name, unless the name is taken.
    static func linkUnlessTaken(_ path: String, as newPath: String) throws(LMDBError) {
        guard unsafe link(path, newPath) != 0, errno != EEXIST else { return }
        throw LMDBError(.init(errno), in: "link", path: newPath)
    }

    /// Returns the names in a directory that begin with a prefix.
    static func names(in directory: String, withPrefix prefix: String) -> [String] {
        guard let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name), let stream = unsafe opendir(directory) else {
            return []
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // Read through its offset: an entry ends with its name, and a copy of the whole of `d_name` would read
            // beyond it.
            let start = unsafe UnsafeRawPointer(entry) + nameOffset
            let name = unsafe String(cString: start.assumingMemoryBound(to: CChar.self))
            if name.hasPrefix(prefix) { names.append(name) }
        }
        return names
    }

    /// Removes a name, if it exists.
    static func remove(_ path: String) { _ = unsafe unlink(path) }
}

/// The system's `rename`, whose name `FileCalls` uses for its own.
private func systemRename(_ path: String, _ newPath: String) -> Int32 { unsafe rename(path, newPath) }
