// The layouts of pages, one for each file format. Page.swift and FileHead.swift picture them.

/// The measures of the pages of a file format. Each page has its layout, so a layout is no more than the format.
struct PageLayout: Sendable {
    let format: FileFormat

    static let version1 = PageLayout(format: .version1)
    static let version3 = PageLayout(format: .version3)
    static let all = [version1, version3]

    /// The size of a page's header.
    var headerSize: Int { format == .version1 ? 16 : 24 }
    /// The place in a page from which the bounds of the free space and the offsets of nodes count.
    var offsetBase: Int { format == .version1 ? 0 : 24 }
    /// The multiple at which a node's value begins.
    var valueAlignment: Int { format == .version1 ? 1 : 2 }
    /// The size of the reference to a value that is too large for a leaf.
    var referenceSize: Int { format == .version1 ? 8 : 24 }
    /// Whether a page has the number of the transaction that wrote it.
    var hasTransactions: Bool { format == .version3 }
    /// Whether the name of a table, as a key of the main tree, ends with a NUL.
    var hasTerminatedNames: Bool { format == .version3 }
    /// The range of page sizes; only powers of 2 are used.
    var pageSizes: ClosedRange<Int> { format == .version1 ? 512...32_768 : 256...65_536 }

    /// The layout of the files that the loaded library writes.
    static let loaded = PageLayout(format: Engine.format)

    /// The offset of the page's kind. All headers end alike.
    var kindOffset: Int { headerSize - 6 }
    /// The offset of the start of the free space, or of the number of a large value's pages.
    var lowerOffset: Int { headerSize - 4 }
    /// The offset of the end of the free space.
    var upperOffset: Int { headerSize - 2 }
    /// The number of bytes of a meta page that have a meaning.
    var metaSize: Int { headerSize + 136 }

    /// Returns the offset of the value after a key that ends at an offset.
    func valueStart(afterKeyEnd end: Int) -> Int { (end + valueAlignment - 1) & -valueAlignment }

    /// Returns the name of a table from its key in the main tree.
    func tableName(fromKey key: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        hasTerminatedNames && key.last == 0 ? key.dropLast() : key
    }
}
