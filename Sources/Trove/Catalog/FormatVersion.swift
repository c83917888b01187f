// The version of the file format. A version never changes its meaning.

/// The version of the file format.
enum FormatVersion {
    /// A store that uses no feature of a later format.
    static let withoutFeatures: UInt32 = 1
    /// A store that lists the features it uses (StoreEntry.swift).
    static let withFeatures: UInt32 = 2

    /// The latest readable version.
    static let newest = withFeatures
    /// The earliest readable version.
    static let oldest = withoutFeatures
}
