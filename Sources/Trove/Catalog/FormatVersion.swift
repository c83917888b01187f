// The version of the file format. A version never changes its meaning.

/// The version of the file format.
enum FormatVersion {
    /// The version written by this version of Trove, and the latest version that it reads.
    static let current: UInt32 = 1
    /// The earliest version that it reads.
    static let oldest: UInt32 = 1
}
