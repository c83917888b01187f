// The version of the file format. A version never changes its meaning.

/// The version of the file format.
enum FormatVersion {
    /// The version written by this version of Trove, and the latest version it can read.
    static let current: UInt32 = 1
    /// The earliest readable version.
    static let oldest: UInt32 = 1
}
