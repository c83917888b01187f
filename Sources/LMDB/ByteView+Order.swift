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
        var items = (0..<count).map { (head: key($0).dropFirst(start).head, index: Int32($0)) }
        items.sort { left, right in
            left.head != right.head
                ? left.head < right.head : key(Int(left.index)).compare(key(Int(right.index))) < 0
        }
        return items.map(\.index)
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
