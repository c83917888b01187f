// A file open for reading.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is open for reading.
struct ReadableFile: ~Copyable {
    let path: String
    private let descriptor: Int32

    /// Opens a file, except a lock file in use: closing its descriptor would drop the lock.
    init(_ path: String) throws(LMDBError) {
        let isOpenLock = OpenLocks.shared.contains(path)
        descriptor = isOpenLock ? -1 : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw LMDBError(isOpenLock ? .invalid : .init(errno), in: "open", path: path)
        }
        self.path = path
    }

    deinit { close(descriptor) }

    /// The current size of the file.
    var size: Int {
        get throws(LMDBError) {
            var raw = stat()
            guard unsafe fstat(descriptor, &raw) == 0 else { throw LMDBError(.init(errno), in: "fstat", path: path) }
            return Int(raw.st_size)
        }
    }

    /// The free space on the file's volume; see `FileCalls.availableBytes`.
    var availableBytes: UInt64? { FileCalls.availableBytes(descriptor) }

    /// Returns `count` bytes at an offset, or fewer at the end of the file. `count` must not be 0.
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
