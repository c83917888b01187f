// Hashes of bytes.

extension ByteView {
    /// Adds the bytes to a hash.
    package func hash(into hasher: inout Hasher) { unsafe hasher.combine(bytes: pointer) }

    /// The 64-bit hash of the bytes, seeded for each process.
    package var seededHash: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }
}
