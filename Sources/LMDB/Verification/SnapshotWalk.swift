// The verification of a snapshot, from its meta page: the freelists, the main tree, and the tables in it.
//
// It trusts no field, and needs only the file: no map, and no liblmdb. It ends whatever the file contains, because it
// enters no page twice, and at most 32 levels. It continues after each damaged part, and so visits all intact parts.

/// The verification of a snapshot, and its findings.
struct SnapshotWalk<Visitor: FileVisitor> {
    let file: PagedFile
    let meta: MetaPage
    /// The number of pages of the file.
    let pageCount: UInt64
    /// The pages visited for a newer snapshot, not to be entered again; nil for the newest snapshot.
    let known: PageSet?
    let visitor: Visitor
    var log = FindingLog()
    /// The pages used by the trees.
    var used = PageSet()
    /// The pages of large values that may have a second use, or whose first page contradicts them.
    var doubtful = PageSet()
    /// The pages of the trees that contain another page's number.
    var misplaced: Set<UInt64> = []
    /// The pages in the freelists.
    var free = PageSet()
    var tree = TreeState(name: FileFinding.freePages, kind: .freePages)
    /// The trees with damage.
    var damagedTrees: Set<TreeState.Kind> = []
    /// The tables visited.
    var tables: [FileReport.Table] = []
    /// The tree records of the tables, from the main tree.
    var pendingTables: [(name: String, record: TreeRecord, page: UInt64)] = []
    /// The notes of the use of each page; nil if none are taken.
    var usage: PageUsageNotes?
    /// The first read error.
    var readError: LMDBError?

    init(_ file: PagedFile, _ meta: MetaPage, pageCount: UInt64, known: PageSet? = nil, visitor: Visitor) {
        self.file = file
        self.meta = meta
        self.pageCount = pageCount
        self.known = known
        self.visitor = visitor
    }

    /// Visits all trees.
    ///
    /// - Complexity: O(*n*) in the number of pages in use; each page is read once. The memory is a page for each level,
    ///   and a bit for each page.
    mutating func walk() throws(Visitor.Failure) {
        try walkFreePages()
        try walk(meta.main, TreeState(name: FileFinding.tables, kind: .tables), from: nil)
        for (name, record, page) in pendingTables {
            try visitor.beginTable(name)
            try walk(record, TreeState(name: name, kind: .records), from: page)
        }
        if known == nil { checkPages() }
    }

    /// Visits the freelist's tree, the tree of the tables, and a single table. The other tables are listed.
    mutating func walkTables(visiting name: String) throws(Visitor.Failure) {
        try walkFreePages()
        try walk(meta.main, TreeState(name: FileFinding.tables, kind: .tables), from: nil)
        for (table, record, page) in pendingTables where table == name {
            try visitor.beginTable(table)
            try walk(record, TreeState(name: table, kind: .records), from: page)
        }
    }

    /// Visits the freelist's tree.
    mutating func walkFreePages() throws(Visitor.Failure) {
        try walk(meta.freePages, TreeState(name: FileFinding.freePages, kind: .freePages), from: nil)
    }

    /// Whether every page after the end of the file is free.
    var lacksNoPage: Bool { firstMissingPage == nil }

    private var firstMissingPage: UInt64? {
        pageCount > meta.lastPage ? nil : (pageCount...meta.lastPage).first { !free.contains($0) }
    }

    /// Compares the used pages with the free pages.
    private mutating func checkPages() {
        for page in used.intersection(free) {
            log.note(FileFinding(.pageFreeAndUsed, page: page, "the page is in use and in a freelist"))
        }
        if let page = firstMissingPage {
            let words =
                "the file ends after \(pageCount) pages, but this page is not free; the last page is \(meta.lastPage)"
            log.note(FileFinding(.truncated, page: page, words))
        }
        let accounted = used.count + free.count + 2
        // With damage or unknown trees, unvisited pages are expected.
        guard log.damages == 0, !log.findings.contains(where: { $0.kind == .foreign }), accounted <= meta.lastPage,
            let first = (2...meta.lastPage).first(where: { !used.contains($0) && !free.contains($0) })
        else { return }
        let count = meta.lastPage + 1 - accounted
        let words =
            count == 1
            ? "the page is neither used nor free" : "\(count) pages are neither used nor free; this is the first"
        log.note(FileFinding(.leakedPages, page: first, words))
    }

    /// Adds a finding in the current tree.
    mutating func note(
        _ kind: FileFinding.Kind, page: UInt64? = nil, index: Int? = nil, key: [UInt8]? = nil, _ detail: String
    ) {
        log.note(FileFinding(kind, page: page, table: tree.name, index: index, key: key, detail))
    }
}
