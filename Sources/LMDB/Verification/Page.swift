// A page of a tree as stored in the file. Every field is checked before use.
//
//     page     = header 16 · offsets of the nodes, 2 each · free space · nodes
//     header   = page number 8 · 2 · kind 2 · lower 2 · upper 2
//                lower and upper are the bounds of the free space
//     overflow = page number 8 · 2 · kind 2 · number of pages 4 · value, over as many pages
//     leaf     = size low 2 · size high 2 · flags 2 · key size 2 · key · value               a node of a leaf page
//                for a value too large for a leaf: the number of its first overflow page, 8
//     branch   = page low 2 · page middle 2 · page high 2 · key size 2 · key                 a node of a branch page
//                the key is the least that can be below it; the key of the first node does not count
//
// in the machine's byte order. Nodes begin at even offsets. The layout is that of data version 1, of LMDB 0.9.

/// The bytes of a page.
struct Page {
    static let headerSize = 16

    let number: UInt64
    let bytes: [UInt8]

    /// The page number stored in the page.
    var storedNumber: UInt64 { bytes.integer(UInt64.self, at: 0) ?? .max }
    var kind: UInt16 { bytes.integer(UInt16.self, at: 10) ?? 0 }
    /// The number of pages of a large value, in its first page.
    var overflowCount: UInt64 { UInt64(bytes.integer(UInt32.self, at: 12) ?? 0) }
    /// The start of the free space.
    var lower: Int { Int(bytes.integer(UInt16.self, at: 12) ?? 0) }
    /// The end of the free space, and the start of the nodes.
    var upper: Int { Int(bytes.integer(UInt16.self, at: 14) ?? 0) }

    /// The number of nodes; nil if the start of the free space is impossible.
    var nodeCount: Int? {
        guard lower >= Self.headerSize, lower <= bytes.count, lower % 2 == 0 else { return nil }
        return (lower - Self.headerSize) / 2
    }

    /// Whether the nodes fill the page from the end of the free space to the end of the page. Otherwise an offset can
    /// lead to the remains of a removed node.
    var isFilled: Bool {
        guard let count = nodeCount, lower <= upper else { return false }
        var end = upper
        for index in 0..<count {
            guard let node = node(index), node.start >= upper else { return false }
            end += (node.end - node.start + 1) & ~1
        }
        return end == bytes.count
    }

    /// Returns a node; nil if it does not lie after the offsets and inside the page.
    func node(_ index: Int) -> Node? {
        let place = Self.headerSize + 2 * index
        guard let start = bytes.integer(UInt16.self, at: place).map(Int.init), start >= lower, start % 2 == 0,
            let low = bytes.integer(UInt32.self, at: start), let flags = bytes.integer(UInt16.self, at: start + 4),
            let keySize = bytes.integer(UInt16.self, at: start + 6)
        else { return nil }
        let key = start + 8..<start + 8 + Int(keySize)
        guard key.upperBound <= bytes.count else { return nil }
        if kind != PageKind.leaf {
            return Node(key: key, end: key.upperBound, content: .child(UInt64(low) | UInt64(flags) << 32))
        }
        if flags == NodeFlags.bigValue {
            guard let first = bytes.integer(UInt64.self, at: key.upperBound) else { return nil }
            return Node(
                key: key, end: key.upperBound + 8, content: .overflow(firstPage: first, size: Int(low)))
        }
        let value = key.upperBound..<key.upperBound + Int(low)
        guard value.upperBound <= bytes.count else { return nil }
        return Node(key: key, end: value.upperBound, content: .value(value, flags: flags))
    }
}

extension [UInt8] {
    /// Returns the integer at an offset, in the machine's byte order; nil if the bytes are missing.
    func integer<Integer: FixedWidthInteger & BitwiseCopyable>(_ type: Integer.Type, at offset: Int) -> Integer? {
        guard offset >= 0, offset <= count - MemoryLayout<Integer>.size else { return nil }
        return unsafe withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: Integer.self) }
    }
}
