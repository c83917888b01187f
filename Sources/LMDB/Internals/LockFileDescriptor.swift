// An open descriptor of a lock file, beside the descriptor of liblmdb.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An open descriptor of a lock file. Its end drops all locks of the process on the file, so it must come after the
/// environment has been closed.
final class LockFileDescriptor: Sendable {
    let number: Int32
    let path: String

    /// Opens the lock file at a path; nil if there is none.
    init?(_ path: String) throws(LMDBError) {
        number = unsafe open(path, O_RDWR | O_CLOEXEC)
        self.path = path
        guard number >= 0 else {
            if errno == ENOENT { return nil }
            throw LMDBError(.init(errno), in: "open", path: path)
        }
    }

    deinit { if number >= 0 { close(number) } }

    /// The size of the file in bytes.
    var size: Int {
        get throws(LMDBError) {
            var raw = stat()
            guard unsafe fstat(number, &raw) == 0 else { throw LMDBError(.init(errno), in: "fstat", path: path) }
            return Int(raw.st_size)
        }
    }

    /// Whether another process has the environment open. If the system does not say, true.
    var isLockedElsewhere: Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0
        lock.l_len = 1
        guard unsafe fcntl(number, F_GETLK, &lock) == 0 else { return true }
        return lock.l_type != Int16(F_UNLCK)
    }
}
