// The order of keys in memory.

extension ByteView {
    /// Returns the indices of keys in the order of their bytes.
    ///
    /// The eight bytes after the common beginning of all keys decide nearly all comparisons.
    ///
    /// - Parameters:
    ///   - count: The number of keys, at most `Int32.max`.
    ///   - key: Returns the key at an index.
    @inlinable
    package static func order(of count: Int, _ key: (Int) -> ByteView) -> [Int32] {
        let start = commonSize(of: count, key)
        var items = KeyHead.sorted(
            (0..<count).map { KeyHead(bits: key($0).dropFirst(start).head, index: Int32($0)) })
        if !areDecided(after: start, of: count, key) {
            var first = 0
            for index in 1..<Swift.max(1, count + 1) where index == count || items[index].bits != items[first].bits {
                if index - first > 1 {
                    items[first..<index].sort { key(Int($0.index)).compare(key(Int($1.index))) < 0 }
                }
                first = index
            }
        }
        return items.map(\.index)
    }

    /// Returns whether keys with the same eight bytes after a common beginning are equal.
    @inlinable
    static func areDecided(after start: Int, of count: Int, _ key: (Int) -> ByteView) -> Bool {
        let size = count > 0 ? key(0).count : 0
        return size <= start + 8 && (0..<count).allSatisfy { key($0).count == size }
    }

    /// Returns the number of bytes at the beginning that all keys share.
    @inlinable
    package static func commonSize(of count: Int, _ key: (Int) -> ByteView) -> Int {
        guard count > 0 else { return 0 }
        let first = key(0)
        var size = first.count
        for index in 1..<Swift.max(1, count) {
            while !key(index).starts(with: first.prefix(size)) { size -= 1 }
        }
        return size
    }
}
