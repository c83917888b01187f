// What a conversion of a file would need.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The format of a file, and what its conversion to the format of the loaded library would need. Nothing is written.
package struct ConversionPlan: Hashable, Sendable {
    package var path: String
    package var format: FileFormat
    /// Whether another process has the file open.
    package var isInUse: Bool
    /// The free space that a conversion needs on the volume, in bytes.
    package var neededSpace: Int
    /// The free space of the volume; nil if it is unknown.
    package var availableSpace: UInt64?

    /// Inspects a file.
    ///
    /// - Throws: ``LMDBError`` if the file cannot be read, or never was an environment.
    package init(path: String) throws(LMDBError) {
        let walk = try FileWalk(path)
        let report = walk.report
        guard let format = report.format else { throw LMDBError(.corrupted, in: "open", path: report.path) }
        self.path = report.path
        self.format = format
        neededSpace = Self.neededSpace(report, free: walk.countFreePages())
        availableSpace = FileCalls.availableBytes(beside: report.path)
        isInUse = try Self.isInUse(report.path)
    }

    /// The space that the new file may need beyond that of the pages in use.
    private static let reserve = 16 << 20

    static func neededSpace(_ report: FileReport, free: UInt64) -> Int {
        Int(report.pages - min(free, report.pages)) * report.pageSize + reserve
    }

    /// Returns whether another process holds the lock of an open environment.
    private static func isInUse(_ dataFile: String) throws(LMDBError) -> Bool {
        let (directory, name) = FileCalls.split(dataFile)
        let lockFile = name == "data.mdb" ? directory + "/lock.mdb" : dataFile + "-lock"
        // Closing a descriptor of a lock file of this process would drop its lock.
        if OpenLocks.shared.contains(lockFile) { return true }
        let descriptor = unsafe open(lockFile, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return false }
            throw LMDBError(.init(errno), in: "open", path: lockFile)
        }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = 1
        guard unsafe fcntl(descriptor, F_GETLK, &lock) == 0 else {
            throw LMDBError(.init(errno), in: "fcntl", path: lockFile)
        }
        return lock.l_type != Int16(F_UNLCK)
    }
}
