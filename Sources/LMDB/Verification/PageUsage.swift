// The use of the pages of a file: a map of the pages, and sums by table.

/// The use of the pages of a file in its last commit.
package struct PageUsage: Sendable {
    /// The kind of a page.
    package enum Kind: UInt8, Sendable, CaseIterable {
        /// One of the two first pages, which lead to all others.
        case meta
        /// An inner page of a tree.
        case branch
        /// A page of a tree with entries.
        case leaf
        /// A page of a value that is too large for a leaf.
        case overflow
        /// A page in a freelist: a later commit uses it again.
        case free
        /// A page neither in use nor in a freelist, or of a damaged part.
        case unreached
    }

    /// The pages of a table.
    package struct Table: Sendable {
        /// The number of steps of ``leafFill``.
        package static let steps = 10

        /// The name, or ``FileFinding/freePages`` or ``FileFinding/tables``.
        package let name: String
        /// The number of entries in leaf pages.
        package internal(set) var entries = 0
        /// The number of inner pages.
        package internal(set) var branchPages = 0
        /// The number of pages with entries.
        package internal(set) var leafPages = 0
        /// The number of pages of large values.
        package internal(set) var overflowPages = 0
        /// The number of bytes used in these pages, with their headers.
        package internal(set) var usedBytes = 0
        /// The number of leaf pages by their fill, in steps of a tenth: the last step has the full pages.
        package internal(set) var leafFill = [Int](repeating: 0, count: Table.steps)

        /// The number of pages.
        package var pages: Int { branchPages + leafPages + overflowPages }
    }

    /// A page, or several pages that follow each other.
    package struct Cell: Hashable, Sendable {
        /// The number of the first page.
        package let firstPage: Int
        /// The number of pages.
        package let pages: Int
        /// The kind of the most pages.
        package let kind: Kind
        /// The table of these pages, as an index of ``PageUsage/tables``; nil for pages of no table.
        package let table: Int?
        /// The number of bytes used in all pages.
        package let usedBytes: Int
    }

    /// The number of the commit.
    package let transaction: Int
    /// The size of a page in bytes.
    package let pageSize: Int
    /// The number of pages that were ever used, including the two meta pages.
    package let pages: Int
    /// The number of pages in freelists.
    package let freePages: Int
    /// The number of pages neither in use nor in a freelist.
    package let unreachedPages: Int
    /// The tables: the freelists, the tree of tables, then the tables in the order of their names.
    package let tables: [Table]
    /// The findings of the walk, at most 1,000.
    package let findings: [FileFinding]
    /// The number of pages of each cell, a power of 2; the last cell can have fewer.
    package let pagesPerCell: Int
    private let slots: [PageUsageNotes.Slot]

    /// The limit of the number of cells by default. Up to as many pages have a cell each: a file of 1 GB.
    package static let cellLimit = 1 << 18

    /// Reads the use of the pages of a file. The caller has a read transaction open, which keeps the pages meanwhile.
    ///
    /// - Parameters:
    ///   - path: The data file.
    ///   - cellLimit: The limit of the number of cells. A larger file has several pages in a cell.
    ///   - progress: Receives the number of pages done, and the total. An error ends the walk.
    /// - Throws: ``LMDBError`` if the file cannot be read; the error of `progress`.
    /// - Complexity: O(*n*) in the number of pages in use, of which each is read once, except for the pages of large
    ///   values. The memory is a few bits for each page, and 24 bytes for each cell.
    package init(
        _ path: String, cellLimit: Int = PageUsage.cellLimit,
        progress: @escaping (_ pages: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws {
        let (metas, newest) = try MetaPages.lastCommit(of: path)
        var walk = SnapshotWalk(
            metas.file, newest, pageCount: try metas.file.pageCount, visitor: PageProgress(progress))
        walk.usage = PageUsageNotes(
            pages: Int(newest.lastPage) + 1, pageSize: newest.pageSize, headerSize: newest.layout.headerSize,
            cellLimit: cellLimit)
        try walk.walk()
        try progress(Int(walk.used.count), Int(walk.used.count))
        guard let notes = walk.usage else { throw LMDBError(.corrupted, in: "verify", path: path) }
        self.init(notes, transaction: Int(newest.transaction), walk.log.findings)
    }

    private init(_ notes: PageUsageNotes, transaction: Int, _ findings: [FileFinding]) {
        self.transaction = transaction
        self.findings = findings
        (pageSize, pages, pagesPerCell) = (notes.pageSize, notes.pages, notes.pagesPerCell)
        (freePages, tables, slots) = (notes.freePages, notes.tables, notes.slots)
        let reached = notes.tables.reduce(2) { $0 + $1.pages } + notes.freePages
        unreachedPages = max(0, notes.pages - reached)
    }

    /// The number of pages of a compacting copy: it has neither free pages nor freelists.
    package var compactedPages: Int {
        2 + tables.reduce(0) { $0 + ($1.name == FileFinding.freePages ? 0 : $1.pages) }
    }

    /// The number of bytes that a compacting copy saves.
    package var savedBytes: Int { max(0, pages - compactedPages) * pageSize }

    /// The number of cells.
    package var cellCount: Int { slots.count }

    /// Returns a cell.
    ///
    /// - Parameter index: A number from 0 up to ``cellCount``.
    package func cell(_ index: Int) -> Cell {
        let slot = slots[index]
        let first = index * pagesPerCell
        let count = min(pagesPerCell, pages - first)
        let isUnreached = slot.votes == 0 || count - Int(slot.noted) > Int(slot.noted)
        return Cell(
            firstPage: first, pages: count, kind: isUnreached ? .unreached : slot.kind,
            table: isUnreached ? nil : slot.table, usedBytes: Int(slot.usedBytes))
    }
}
