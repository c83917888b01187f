// The detection of an orphaned writer lock, on systems without robust mutexes.
//
// If a process dies while it has liblmdb's writer lock, such a system never releases the lock, and the next writer
// would wait in liblmdb forever. So each writer takes a second lock, which every system releases, and sets a mark:
//
//     lock the data file ─ is there a mark? ─ set it ─ mdb_txn_begin ┄┄ commit or abort ─ remove it ─ unlock
//                                │
//                                └─ its process has died: `writerLockOrphaned`
//
// The mark is a word at the end of the lock file, in the machine's byte order: the number of the writer's process, or
// 0. liblmdb's header and slots have a multiple of 64 bytes, and it ignores a rest that is smaller than a slot:
//
//     lock file = header and reader slots, 64·n bytes │ mark, 8 bytes
//
// liblmdb makes its locks again at the first opening after all processes have closed the file. That opening removes the
// mark. A process that dies between two neighboring steps leaves a mark without an orphaned lock; the remedy is the
// same.
//
// The second lock is on the data file, and a `flock`. On Darwin, the two kinds of locks exclude each other, so that a
// `flock` on the lock file would wait for the `fcntl` locks of liblmdb. A `flock` also belongs to the descriptor.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The second lock of an environment's writers, with the mark of the writer that has it.
final class WriterGuard: Sendable {
    /// liblmdb's descriptor of the data file.
    private let dataFile: Int32
    private let mark: WriterMark
    /// Whether a thread of this process has the lock: a `flock` does not exclude threads with the same descriptor.
    private let isTaken = Monitor(false)

    /// Creates the guard of an environment that liblmdb has opened.
    ///
    /// - Parameters:
    ///   - lockFile: The open lock file. It is closed with the guard, after liblmdb has closed its own descriptor.
    ///   - dataFile: liblmdb's descriptor of the data file.
    init(_ lockFile: LockFileDescriptor, dataFile: Int32) throws(LMDBError) {
        mark = try WriterMark(in: lockFile)
        self.dataFile = dataFile
    }

    /// The process whose mark is set; 0 without a mark.
    var markedProcess: Int { mark.process }

    /// Waits for the lock, and sets the mark.
    ///
    /// - Returns: 0, or the code of `writerLockOrphaned`: then nothing is taken.
    func take() -> Int32 {
        isTaken.wait { isTaken -> Void? in
            guard !isTaken else { return nil }
            isTaken = true
            return ()
        }
        var code = flock(dataFile, LOCK_EX)
        while code != 0, errno == EINTR { code = flock(dataFile, LOCK_EX) }
        // A file system without such locks has no marks, and a dead writer is not found.
        guard code == 0 else { return 0 }
        guard mark.process == 0 else {
            unlock()
            return LMDBError.Code.writerLockOrphaned.rawValue
        }
        mark.process = Int(getpid())
        return 0
    }

    /// Removes the mark, and passes the lock on, after liblmdb has released its own lock.
    func release() {
        mark.process = 0
        unlock()
    }

    private func unlock() {
        _ = flock(dataFile, LOCK_UN)
        isTaken.withLock { $0 = false }
        isTaken.wakeAll()
    }

    /// Removes the mark of a lock file that no process has open, before liblmdb opens it. Does nothing during a write.
    ///
    /// A mark is set only under the lock on the data file. If this process has that lock while no process has the file
    /// open, liblmdb makes its locks again before the next mark.
    static func removeStaleMark(in lockFile: LockFileDescriptor, dataFile path: String) throws(LMDBError) {
        guard try WriterMark.isIn(lockFile) else { return }
        let data = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard data >= 0 else { throw LMDBError(.init(errno), in: "open", path: path) }
        defer { close(data) }
        guard flock(data, LOCK_EX | LOCK_NB) == 0, !lockFile.isLockedElsewhere else { return }
        try WriterMark(in: lockFile).process = 0
    }
}
