// A page of a tree as stored in the file. Every field is checked before use.
//
//     page     = header · offsets of the nodes, 2 each · free space · nodes
//     header   = page number 8 · [transaction 8] · 2 · kind 2 · lower 2 · upper 2
//                lower and upper are the bounds of the free space
//     overflow = page number 8 · [transaction 8] · 2 · kind 2 · number of pages 4 · value, over as many pages
//     leaf     = size low 2 · size high 2 · flags 2 · key size 2 · key · value               a node of a leaf page
//                for a value too large for a leaf: the number of its first overflow page, 8
//                [transaction 8 · number of pages 8]
//     branch   = page low 2 · page middle 2 · page high 2 · key size 2 · key                 a node of a branch page
//                the key is the least that can be below it; the key of the first node does not count
//
// in the machine's byte order. Nodes begin at even offsets. What is in brackets is part of files of LMDB 1.0 only.
// There, lower, upper and the offsets of nodes count from the end of the header, and values, too, begin at even
// offsets.

/// The bytes of a page.
struct Page {
    let number: UInt64
    let bytes: [UInt8]
    let layout: PageLayout

    /// The page number stored in the page.
    var storedNumber: UInt64 { bytes.integer(UInt64.self, at: 0) ?? .max }
    var kind: UInt16 { bytes.integer(UInt16.self, at: layout.kindOffset) ?? 0 }
    /// The number of the transaction that wrote the page; nil if the format has none.
    var transaction: UInt64? { layout.hasTransactions ? bytes.integer(UInt64.self, at: 8) : nil }
    /// The number of pages of a large value, in its first page.
    var overflowCount: UInt64 { UInt64(bytes.integer(UInt32.self, at: layout.lowerOffset) ?? 0) }
    /// The start of the free space.
    var lower: Int { layout.offsetBase + Int(bytes.integer(UInt16.self, at: layout.lowerOffset) ?? 0) }
    /// The end of the free space, and the start of the nodes.
    var upper: Int { layout.offsetBase + Int(bytes.integer(UInt16.self, at: layout.upperOffset) ?? 0) }

    /// The number of nodes; nil if the start of the free space is impossible.
    var nodeCount: Int? {
        guard lower >= layout.headerSize, lower <= bytes.count, lower % 2 == 0 else { return nil }
        return (lower - layout.headerSize) / 2
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
        let place = layout.headerSize + 2 * index
        guard let offset = bytes.integer(UInt16.self, at: place), case let start = layout.offsetBase + Int(offset),
            start >= lower, start % 2 == 0,
            let low = bytes.integer(UInt32.self, at: start), let flags = bytes.integer(UInt16.self, at: start + 4),
            let keySize = bytes.integer(UInt16.self, at: start + 6)
        else { return nil }
        let key = start + 8..<start + 8 + Int(keySize)
        guard key.upperBound <= bytes.count else { return nil }
        if kind != PageKind.leaf {
            return Node(key: key, end: key.upperBound, content: .child(UInt64(low) | UInt64(flags) << 32))
        }
        let valueStart = layout.valueStart(afterKeyEnd: key.upperBound)
        if flags == NodeFlags.bigValue {
            guard let first = bytes.integer(UInt64.self, at: valueStart),
                valueStart + layout.referenceSize <= bytes.count
            else {
                return nil
            }
            let pages = bytes.integer(UInt64.self, at: valueStart + 16)
            return Node(
                key: key, end: valueStart + layout.referenceSize,
                content: .overflow(firstPage: first, pages: layout.hasTransactions ? pages : nil, size: Int(low)))
        }
        let value = valueStart..<valueStart + Int(low)
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
