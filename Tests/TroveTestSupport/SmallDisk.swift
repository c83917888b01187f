// A disk that a test can fill.

#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
#endif

/// A file system of a few megabytes in memory, mounted in a directory of its own.
public final class SmallDisk: Sendable {
    /// Whether a test can mount a small disk on this machine: Linux allows it for root.
    public static let isAvailable = (try? SmallDisk(megabytes: 1)) != nil

    private struct NotMounted: Error {}

    private let directory: TemporaryDirectory

    /// Mounts the disk.
    public init(megabytes: Int) throws {
        directory = try TemporaryDirectory()
        #if os(Linux)
        guard unsafe mount("tmpfs", directory.path, "tmpfs", 0, "size=\(megabytes)m") == 0 else { throw NotMounted() }
        #else
        throw NotMounted()
        #endif
    }

    deinit {
        #if os(Linux)
        // This also works while a file on the disk is open: the disk then goes away when the file is closed.
        _ = unsafe umount2(directory.path, CInt(MNT_DETACH))
        #endif
    }

    /// Makes the disk read-only, like a write-protected medium. No file on it may be open for writing.
    public func makeReadOnly() throws {
        #if os(Linux)
        let flags = UInt(MS_REMOUNT | MS_RDONLY)
        guard unsafe mount("tmpfs", directory.path, "tmpfs", flags, "") == 0 else { throw NotMounted() }
        #endif
    }

    /// Returns the path of a name on the disk.
    public func path(_ name: String) -> String { directory.path(name) }

    /// Returns the names on the disk, sorted.
    public func names() throws -> [String] { try directory.names() }
}
