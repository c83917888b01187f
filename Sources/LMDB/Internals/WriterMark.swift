// The word at the end of a lock file, with the number of the process that writes; see WriterGuard.swift.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The mark of a writer, in the memory that all processes share.
///
/// Unchecked because it is written only under the lock of `WriterGuard`. Errors also read it, as a word.
@safe final class WriterMark: @unchecked Sendable {
    private let lockFile: LockFileDescriptor
    private let page: UnsafeMutableRawPointer
    private let word: UnsafeMutablePointer<UInt64>

    private static let size = MemoryLayout<UInt64>.size
    /// The size of liblmdb's reader slots, and the unit of the size of its lock files.
    private static let slotSize = 64
    private static var pageSize: Int { Int(getpagesize()) }

    /// Returns whether a lock file has room for a mark.
    static func isIn(_ lockFile: LockFileDescriptor) throws(LMDBError) -> Bool {
        try lockFile.size % slotSize == size
    }

    /// Creates the view of the mark in a lock file, which gets room for the mark first.
    ///
    /// - Parameter lockFile: The open lock file of an environment. It stays open as long as the mark is in use.
    init(in lockFile: LockFileDescriptor) throws(LMDBError) {
        var end = try lockFile.size
        if end % Self.slotSize != Self.size {
            // Several processes may do this at once, with the same result.
            end += Self.size - end % Self.slotSize
            guard ftruncate(lockFile.number, off_t(end)) == 0 else {
                throw LMDBError(.init(errno), in: "ftruncate", path: lockFile.path)
            }
        }
        let offset = (end - Self.size) % Self.pageSize
        let mapped = unsafe mmap(
            nil, Self.pageSize, PROT_READ | PROT_WRITE, MAP_SHARED, lockFile.number, off_t(end - Self.size - offset))
        guard let page = unsafe mapped, unsafe page != MAP_FAILED else {
            throw LMDBError(.init(errno), in: "mmap", path: lockFile.path)
        }
        self.lockFile = lockFile
        unsafe self.page = page
        unsafe word = (page + offset).assumingMemoryBound(to: UInt64.self)
    }

    deinit { unsafe munmap(page, Self.pageSize) }

    /// The process that writes; 0 if none does.
    var process: Int {
        get { Int(truncatingIfNeeded: unsafe word.pointee) }
        set { unsafe word.pointee = UInt64(truncatingIfNeeded: newValue) }
    }
}
