// The sort of many keys by their first bytes.

/// The first bytes of a key, and the index of the key.
@usableFromInline
struct KeyHead {
    /// The bytes in the order of keys: the first byte is the most significant.
    @usableFromInline let bits: UInt64
    @usableFromInline let index: Int32

    @usableFromInline
    init(bits: UInt64, index: Int32) {
        self.bits = bits
        self.index = index
    }
}

extension KeyHead {
    /// The number of keys from which on a sort by bytes is faster than comparisons.
    private static var many: Int { 256 }

    /// Returns heads in the order of their bits.
    ///
    /// Many heads are distributed by each byte in turn, the least significant first. A byte that all heads share costs
    /// nothing.
    @usableFromInline
    static func sorted(_ heads: [KeyHead]) -> [KeyHead] {
        guard heads.count >= many, let first = heads.first else { return heads.sorted { $0.bits < $1.bits } }
        let differing = heads.reduce(0) { $0 | ($1.bits ^ first.bits) }
        var sorted = heads, other = heads
        for shift in stride(from: UInt64(0), to: 64, by: 8) where (differing >> shift) & 0xFF != 0 {
            var places = [Int](repeating: 0, count: 257)
            for head in sorted { places[Int((head.bits >> shift) & 0xFF) + 1] += 1 }
            for byte in 1..<256 { places[byte] += places[byte - 1] }
            for head in sorted {
                let byte = Int((head.bits >> shift) & 0xFF)
                other[places[byte]] = head
                places[byte] += 1
            }
            swap(&sorted, &other)
        }
        return sorted
    }
}
