// The liblmdb that this process has loaded.

/// The liblmdb that this process has loaded.
public enum Engine {
    /// The release: `0.9.24`.
    public static let version = "\(release.major).\(release.minor).\(release.patch)"

    /// The format of the files that the library reads and writes.
    public static let format: FileFormat = release.major == 0 ? .version1 : .version3

    private static let release = Calls.release
}
