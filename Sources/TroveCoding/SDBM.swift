// The sdbm hash, the source of automatic key prefixes and fields versions. Its results are stored: the hash never
// changes.

/// The sdbm hash of a text's UTF-8 bytes: `h = byte + (h << 6) + (h << 16) - h`, wrapping, from 0.
public enum SDBM {
    /// Returns the 32-bit hash of `text`.
    ///
    /// - Complexity: O(*n*) in the number of UTF-8 bytes.
    public static func hash32(_ text: some StringProtocol) -> UInt32 { hash(text.utf8) }

    /// Returns the 64-bit hash of `text`.
    ///
    /// - Complexity: O(*n*) in the number of UTF-8 bytes.
    public static func hash64(_ text: some StringProtocol) -> UInt64 { hash(text.utf8) }

    private static func hash<Hash: FixedWidthInteger>(_ bytes: some Sequence<UInt8>) -> Hash {
        var hash: Hash = 0
        for byte in bytes {
            hash = Hash(truncatingIfNeeded: byte) &+ (hash &<< 6) &+ (hash &<< 16) &- hash
        }
        return hash
    }
}
