// The layouts of pages, one for each file format. Page.swift and FileHead.swift picture them.

/// The measures of the pages of a file format.
struct PageLayout: Sendable {
    let format: FileFormat
    /// The size of a page's header.
    let headerSize: Int
    /// The place in a page from which the bounds of the free space and the offsets of nodes count.
    let offsetBase: Int
    /// The multiple at which a node's value begins.
    let valueAlignment: Int
    /// The size of the reference to a value that is too large for a leaf.
    let referenceSize: Int
    /// Whether a page has the number of the transaction that wrote it.
    let hasTransactions: Bool
    /// Whether the name of a table, as a key of the main tree, ends with a NUL.
    let hasTerminatedNames: Bool
    /// The range of page sizes; only powers of 2 are used.
    let pageSizes: ClosedRange<Int>

    static let version1 = PageLayout(
        format: .version1, headerSize: 16, offsetBase: 0, valueAlignment: 1, referenceSize: 8, hasTransactions: false,
        hasTerminatedNames: false, pageSizes: 512...32_768)
    static let version3 = PageLayout(
        format: .version3, headerSize: 24, offsetBase: 24, valueAlignment: 2, referenceSize: 24, hasTransactions: true,
        hasTerminatedNames: true, pageSizes: 256...65_536)
    static let all = [version1, version3]

    /// The layout of the files that the loaded library writes.
    static let loaded = of(Engine.format)

    static func of(_ format: FileFormat) -> PageLayout {
        switch format {
        case .version1: version1
        case .version3: version3
        }
    }

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
