// A walk over all that one meta page leads to: the lists of free pages, the main tree, and the tables in it.
//
// It believes nothing, and needs nothing but the file: no map, and no liblmdb. It ends whatever the file holds, because
// it enters no page twice, and no more than 32 levels; and it goes on behind each damage, so that what is whole is
// seen.

/// A tree that a walk is in.
struct TreeState {
    enum Kind { case freePages, tables, records }

    var name: String
    var kind: Kind
    var totals = TreeTotals()
    /// The level of the first leaf that was seen, on which all must be.
    var leafLevel: Int?

    var order: KeyOrder { kind == .freePages ? .numbers : .bytes }
}

/// One walk, and what it has found.
struct SnapshotWalk<Visitor: FileVisitor> {
    let file: PagedFile
    let meta: MetaPage
    /// How many pages the file has.
    let pageCount: UInt64
    /// Pages that the walk over a newer snapshot has been to, which are not entered again; nil for the newest.
    let known: PageSet?
    let visitor: Visitor
    var log = FindingLog()
    /// Pages that the trees use.
    var used = PageSet()
    /// Pages of large values that can be shared with others, or whose first page contradicts them.
    var doubtful = PageSet()
    /// Pages of the trees in which another's number stands.
    var misplaced: Set<UInt64> = []
    /// Pages that the lists of free pages name.
    var free = PageSet()
    var tree = TreeState(name: FileFinding.freePages, kind: .freePages)
    /// The trees in which damage was found.
    var damagedTrees: Set<TreeState.Kind> = []
    /// The tables that were walked.
    var tables: [FileReport.Table] = []
    /// The records of the tables, from the main tree.
    var pendingTables: [(name: String, record: TreeRecord, page: UInt64)] = []
    /// The first error of the disk.
    var readError: LMDBError?

    init(_ file: PagedFile, _ meta: MetaPage, pageCount: UInt64, known: PageSet? = nil, visitor: Visitor) {
        self.file = file
        self.meta = meta
        self.pageCount = pageCount
        self.known = known
        self.visitor = visitor
    }

    /// Walks everything.
    ///
    /// - Complexity: O(*n*) in the number of pages in use, each of which is read once. In memory there is a page a
    ///   level, and a bit for each page.
    mutating func walk() throws(Visitor.Failure) {
        try walkFreePages()
        try walk(meta.main, TreeState(name: FileFinding.tables, kind: .tables), from: nil)
        for (name, record, page) in pendingTables {
            try visitor.beginTable(name)
            try walk(record, TreeState(name: name, kind: .records), from: page)
        }
        if known == nil { checkPages() }
    }

    /// Walks the tree of free pages.
    mutating func walkFreePages() throws(Visitor.Failure) {
        try walk(meta.freePages, TreeState(name: FileFinding.freePages, kind: .freePages), from: nil)
    }

    /// Whether every page that the file is too short for is free.
    var lacksNoPage: Bool { firstMissingPage == nil }

    private var firstMissingPage: UInt64? {
        pageCount > meta.lastPage ? nil : (pageCount...meta.lastPage).first { !free.contains($0) }
    }

    /// Compares the pages in use with those that are free.
    private mutating func checkPages() {
        for page in used.intersection(free) {
            log.note(FileFinding(.pageFreeAndUsed, page: page, "the page is in use and in a list of free pages"))
        }
        if let page = firstMissingPage {
            let words =
                "the file ends after \(pageCount) pages, and this one is not free; the last page is \(meta.lastPage)"
            log.note(FileFinding(.truncated, page: page, words))
        }
        let accounted = used.count + free.count + 2
        // Where something is damaged or not known, pages that were not seen are no surprise.
        guard log.damages == 0, !log.findings.contains(where: { $0.kind == .foreign }), accounted <= meta.lastPage,
            let first = (2...meta.lastPage).first(where: { !used.contains($0) && !free.contains($0) })
        else { return }
        let count = meta.lastPage + 1 - accounted
        log.note(FileFinding(.leakedPages, page: first, "\(count) pages are neither in use nor free, this the first"))
    }

    /// Notes a finding in the present tree.
    mutating func note(
        _ kind: FileFinding.Kind, page: UInt64? = nil, index: Int? = nil, key: [UInt8]? = nil, _ detail: String
    ) {
        log.note(FileFinding(kind, page: page, table: tree.name, index: index, key: key, detail))
    }
}
