// Information about an environment and its databases (sizes, readers), and copies of an environment in use.

import CTroveLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The size and use of an environment.
public struct EnvironmentInfo: Hashable, Sendable {
    /// The size of the map in bytes, which limits the size of the file until the map grows.
    public var mapSize: Int
    /// The number of bytes of the file ever used.
    public var usedSize: Int
    /// The size of a page in bytes.
    public var pageSize: Int
    /// The format of the file, which is that of the loaded library.
    public var format: FileFormat
    /// The number of the last commit.
    public var lastTransaction: Int
    /// The maximum number of readers.
    public var maximumReaders: Int
    /// The highest number of reader slots in use at once, including idle slots of open processes.
    public var readers: Int
}

extension Environment {
    /// The size and use of the environment.
    public var info: EnvironmentInfo {
        get throws(LMDBError) {
            try shared.checkFork("info")
            return try unsafe shared.withMap { pointer in
                let info = unsafe Calls.info(pointer)
                let pageSize = Int(unsafe Calls.statistics(pointer).ms_psize)
                return unsafe EnvironmentInfo(
                    mapSize: info.me_mapsize, usedSize: Calls.usedSize(info, pageSize: pageSize),
                    pageSize: pageSize, format: Engine.format, lastTransaction: info.me_last_txnid,
                    maximumReaders: Int(info.me_maxreaders), readers: Int(info.me_numreaders))
            }
        }
    }

    /// Returns the occupied reader slots of all processes.
    public func readers() throws(LMDBError) -> [ReaderInfo] {
        try shared.checkFork("readers")
        let lines = try unsafe shared.withMap { unsafe Calls.listReaders($0) }
        return lines.flatMap { $0.split(separator: "\n") }.compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, let process = Int(words[0]) else { return nil }
            return ReaderInfo(process: process, thread: String(words[1]), transaction: Int(words[2]))
        }
    }

    /// The number of commits of a process between two sweeps for dead readers.
    package static let commitsBetweenSweeps = 512

    /// Frees the slots of readers whose process has died. Such slots would keep pages from being reused.
    ///
    /// A sweep also runs at each opening and every 512 commits.
    ///
    /// - Returns: The number of slots freed.
    @discardableResult
    public func sweepStaleReaders() throws(LMDBError) -> Int {
        try shared.sweepStaleReaders()
    }

    /// Flushes commits to disk. With a durability below full, commits leave this to the system.
    public func synchronize() throws(LMDBError) {
        try shared.checkFork("synchronize")
        let code = try unsafe shared.withMap { unsafe Calls.sync($0) }
        guard code == 0 else { throw shared.writeError(code, in: "mdb_env_sync") }
    }

    /// Copies the last commit into a new environment, while this environment is in use.
    ///
    /// Copying the file by other means would miss pages that are being written. Worse, it would drop this process's
    /// lock.
    ///
    /// - Parameters:
    ///   - destination: The data file to create.
    ///   - compacting: Whether to leave free pages out. It takes longer and makes the copy smaller.
    /// - Throws: ``LMDBError/Code/fileExists`` if the file exists already; the error of the system if the copy cannot
    ///   be written. In this case no file remains.
    public func copy(to destination: String, compacting: Bool = false) throws(LMDBError) {
        let file = try UnfinishedFile(
            for: destination, mode: options.fileMode, protection: options.fileProtection)
        try shared.copy(into: file, compacting: compacting)
        try file.publish()
    }
}

extension SharedEnvironment {
    /// Copies the last commit into an unfinished file.
    package func copy(into file: borrowing UnfinishedFile, compacting: Bool) throws(LMDBError) {
        try checkFork("copy")
        if writers.isOwnedByThisThread { throw LMDBError(.nestedWrite, in: "copy", path: path) }
        if !compacting { try waitForWriters() }
        let descriptor = unsafe open(file.path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(.init(errno), in: "copy", path: file.path) }
        defer { close(descriptor) }
        try copy(toDescriptor: descriptor, compacting: compacting, file.destination)
    }

    /// Waits until liblmdb's writer lock is free. liblmdb takes the lock for a moment to begin a plain copy. The wait
    /// happens only with a busy timeout or a guard, so that a hanging or dead writer cannot block the copy without end.
    private func waitForWriters() throws(LMDBError) {
        guard options.busyTimeout != nil || writerGuard != nil, !options.isReadOnly else { return }
        let deadline = writeDeadline()
        try takeTurn(before: deadline)
        defer { writers.release() }
        try beginWriteInTurn(before: deadline).endWriteInTurn()
    }

    private func copy(toDescriptor descriptor: Int32, compacting: Bool, _ destination: String) throws(LMDBError) {
        for _ in 0..<Self.mostAdoptions {
            // Begins a reader first: it adopts a map enlarged by another process, and finds a slot. While it is open,
            // the map cannot change.
            let reader = try beginRead()
            let code = unsafe Calls.copy(pointer, toDescriptor: descriptor, compacting: compacting)
            reader.endRead()
            if code == 0 { return }
            // Another process enlarged the map again: liblmdb noticed it before it wrote anything.
            guard LMDBError.Code(code) == .mapResized else {
                throw LMDBError(
                    .init(writing: code, availableBytes: FileCalls.availableBytes(descriptor)),
                    in: "mdb_env_copyfd2", path: destination)
            }
        }
        throw LMDBError(.corrupted, in: "mdb_env_copyfd2", path: path)
    }
}
