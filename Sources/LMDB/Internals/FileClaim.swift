// A mark on a file that its maker is alive, which the system takes back when that process dies.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that this process is making, for as long as this value lives.
///
/// `flock` rather than `fcntl`: its locks belong to the descriptor, and closing another one does not drop them.
struct FileClaim: ~Copyable {
    private let descriptor: Int32

    /// Creates an empty file, and claims it.
    init(creating path: String, mode: UInt16) throws(LMDBError) {
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
        guard descriptor >= 0 else { throw LMDBError(.init(errno), in: "open", path: path) }
        // A file system without such locks: a remainder cannot be told from a file that is being made there.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit { close(descriptor) }

    /// Whether a file has no living maker.
    static func isUnclaimed(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }
}
