// The lock under which a file is converted.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The lock by which every liblmdb learns whether another process has an environment open: the first byte of its lock
/// file, locked exclusively.
///
/// It is a lock of the process. liblmdb's own lock takes its place when the environment is opened, and closing any
/// descriptor of the file drops both. So the lock is kept until the environment is closed.
final class ConversionLock: Sendable {
    private let descriptor: Int32
    private let identity: FileIdentity?

    /// Locks the lock file of an environment, which is created if it does not exist; nil if another process has the
    /// environment open.
    init?(_ place: EnvironmentPlace, _ options: EnvironmentOptions) throws(LMDBError) {
        try place.makeRoomForLockFile(options)
        let opened = unsafe open(place.lockFile, O_RDWR | O_CLOEXEC)
        guard opened >= 0 else { throw LMDBError(.init(errno), in: "open", path: place.lockFile) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0
        lock.l_len = 1
        guard unsafe fcntl(opened, F_SETLK, &lock) == 0 else {
            let code = errno
            close(opened)
            guard code == EACCES || code == EAGAIN else {
                throw LMDBError(.init(code), in: "fcntl", path: place.lockFile)
            }
            return nil
        }
        descriptor = opened
        identity = FileCalls.identity(of: place.lockFile)
        OpenLocks.shared.add(identity)
    }

    deinit {
        OpenLocks.shared.remove(identity)
        close(descriptor)
    }
}
