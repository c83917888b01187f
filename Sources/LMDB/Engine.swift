// The liblmdb that this process uses.

import CTroveLMDB

/// The liblmdb that this process uses: the system's, as it was loaded, or one that was built from source into the
/// program.
public enum Engine {
    /// The release: `0.9.24`.
    public static let version = "\(release.major).\(release.minor).\(release.patch)"

    /// Whether the library was built from source, as a part of the program. Otherwise the program has loaded the
    /// system's.
    public static let isBuiltFromSource = TROVE_ENGINE_IS_BUILT_FROM_SOURCE != 0

    /// The release, and whether it was built from source: `0.9.24`, or `0.9.70 (built from source)`.
    public static let library = isBuiltFromSource ? "\(version) (built from source)" : version

    /// The format of the files that the library reads and writes.
    public static let format: FileFormat = release.major == 0 ? .version1 : .version3

    /// Whether the system releases the writer lock of a process that dies during a write.
    ///
    /// Darwin has no robust mutexes, and its semaphores are not robust either. There, a write after the death of
    /// another one throws ``LMDBError/Code/writerLockOrphaned``.
    public static let hasRobustMutexes: Bool = {
        #if canImport(Darwin)
        false
        #else
        true
        #endif
    }()

    private static let release = Calls.release
}
