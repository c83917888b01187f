// A node of a page.

/// A node, which lies completely in its page.
struct Node {
    enum Content {
        case child(UInt64)
        case value(Range<Int>, flags: UInt16)
        /// A value too large for a leaf; the number of its pages if the reference has it.
        case overflow(firstPage: UInt64, pages: UInt64?, size: Int)
    }

    var key: Range<Int>
    var end: Int
    var content: Content

    var start: Int { key.lowerBound - 8 }
}
