// A mark that the creator of a file is alive. The system removes the mark when that process dies.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that this process is creating, claimed for the lifetime of this value.
///
/// It uses `flock` rather than `fcntl`: its locks belong to the descriptor, and closing another descriptor does not
/// drop them.
struct FileClaim: ~Copyable {
    private let descriptor: Int32

    /// Creates and claims an empty file.
    init(creating path: String, mode: UInt16, protection: FileProtection) throws(LMDBError) {
        let created = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
        guard created >= 0 else { throw LMDBError(.init(errno), in: "open", path: path) }
        #if canImport(Darwin)
        let code = ProtectionCalls.setClass(protection.number, of: created)
        guard code == 0 else {
            close(created)
            FileCalls.remove(path)
            throw LMDBError(.init(code), in: "fcntl", path: path)
        }
        #endif
        descriptor = created
        // On a file system without such locks, a leftover file cannot be distinguished from a file in progress.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit { close(descriptor) }

    /// Returns whether the creator of a file is no longer alive.
    static func isUnclaimed(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }
}
