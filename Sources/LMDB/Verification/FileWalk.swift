// A scan of a possibly damaged file: by the last commit, by the commit before, and page by page.

/// A possibly damaged file, with the pages and findings of its scan.
package struct FileWalk {
    private let metas: MetaPages
    private let pageCount: UInt64
    private var log = FindingLog()
    private var seen: FileReport
    private var used = PageSet()
    private var free = PageSet()
    private var misplaced: Set<UInt64> = []
    private var damagedTrees: Set<TreeState.Kind> = [.freePages, .tables]

    /// Opens a file, and checks its meta pages.
    ///
    /// - Throws: `LMDBError` if the file cannot be opened, or never was an environment.
    package init(_ path: String) throws(LMDBError) {
        metas = try MetaPages(path)
        pageCount = try metas.file.pageCount
        seen = try FileReport(metas)
        for finding in metas.findings { log.note(finding) }
    }

    /// The report so far.
    package var report: FileReport {
        var report = seen
        report.findings = log.findings
        report.omittedFindings = log.omitted
        report.damages = log.damages
        return report
    }

    /// Whether both meta pages are intact.
    package var hasSoundHead: Bool { metas.findings.isEmpty }
    /// Whether the tree of tables was read and is intact.
    package var hasAllTables: Bool { !damagedTrees.contains(.tables) }
    /// Whether entries of stray pages can be out of date: the freelists are damaged, or a visited page is damaged or
    /// does not lie at its own number.
    package var hasDoubtfulStrayPages: Bool { damagedTrees.contains(.freePages) || hasShownDoubtfulPages }
    private var hasShownDoubtfulPages = false

    /// Adds a finding of another component.
    package mutating func note(_ finding: FileFinding) { log.note(finding) }

    /// Returns whether there has been a commit since the file was opened.
    package func hasChanged() throws(LMDBError) -> Bool {
        let now = try MetaPages(metas.file.path)
        // Commits between the reads of the two meta pages leave an older meta page that is no longer in the file.
        return now.newest?.transaction != metas.newest?.transaction
            || now.older?.transaction != metas.older?.transaction
    }

    /// Returns the number of free pages of a file's last commit; nil if there was a commit meanwhile.
    ///
    /// - Throws: `LMDBError` if the file cannot be opened, or never was an environment.
    /// - Complexity: O(*n*) in the size of the freelists.
    package static func freePageCount(of path: String) throws(LMDBError) -> Int? {
        let walk = try FileWalk(path)
        let count = walk.countFreePages()
        return try walk.hasChanged() ? nil : Int(clamping: count)
    }

    /// Returns the number of free pages of the last commit.
    func countFreePages() -> UInt64 {
        guard let newest = metas.newest else { return 0 }
        var walk = SnapshotWalk(metas.file, newest, pageCount: pageCount, visitor: NoVisitor())
        walk.walkFreePages()
        return walk.free.count
    }

    /// Visits all trees of the last commit.
    package mutating func visitLastCommit<Visitor: FileVisitor>(_ visitor: Visitor) throws(Visitor.Failure) {
        guard let newest = metas.newest else { return }
        var walk = SnapshotWalk(metas.file, newest, pageCount: pageCount, visitor: visitor)
        walk.log = log
        try walk.walk()
        log = walk.log
        (used, free, misplaced, damagedTrees) = (walk.used, walk.free, walk.misplaced, walk.damagedTrees)
        seen.usedPages = used.count
        seen.freePages = free.count
        seen.tables = walk.tables
        try visitor.advance(to: used.count, of: used.count)
    }

    /// Visits all trees of the commit before the last. Returns false if that commit is unknown.
    package mutating func visitCommitBefore<Visitor: FileVisitor>(
        _ visitor: Visitor
    ) throws(Visitor.Failure) -> Bool {
        guard let older = metas.older else { return false }
        var walk = SnapshotWalk(metas.file, older, pageCount: pageCount, visitor: visitor)
        try walk.walk()
        return true
    }

    /// Checks the pages used only by the commit before the last.
    mutating func checkCommitBefore() {
        guard let older = metas.older, older.transaction != seen.transaction else { return }
        var walk = SnapshotWalk(metas.file, older, pageCount: pageCount, known: used, visitor: NoVisitor())
        walk.walk()
        for finding in walk.log.findings where finding.isDamage { log.note(finding.inOlderSnapshot) }
    }

    /// Visits the entries of all leaf pages unreferenced by the last commit, of any table and age.
    ///
    /// If the freelists are intact, pages neither free nor in use have become unreachable through damage: their
    /// contents were valid in the last commit. Free pages hold deleted or replaced entries.
    ///
    /// - Parameters:
    ///   - isFree: Whether to visit the pages in the freelists, rather than the other pages.
    ///   - visitor: Receives the entries, without a table.
    /// - Complexity: O(*n*) in the size of the file.
    package mutating func visitStrayPages<Visitor: FileVisitor>(
        free isFree: Bool, _ visitor: Visitor
    ) throws(Visitor.Failure) {
        guard pageCount > 2 else { return }
        for number in 2..<pageCount where !used.contains(number) || misplaced.contains(number) {
            if number % 64 == 0 { try visitor.advance(to: number, of: pageCount) }
            // Nothing can be saved from a page that cannot be read. The tree that lacks it has a finding already.
            guard let page = try? metas.file.page(number), page.kind == PageKind.leaf, let count = page.nodeCount,
                self.isFree(page) == isFree
            else { continue }
            if page.storedNumber != number || !page.isFilled { hasShownDoubtfulPages = true }
            for index in 0..<count {
                guard let node = page.node(index), let value = strayValue(of: node, in: page) else { continue }
                _ = try visitor.visit(FileEntry(table: nil, key: node.key, value: value, page: page, index: index))
            }
        }
    }

    /// Returns whether a page holds deleted or replaced entries. A page at a wrong position is not free if another page
    /// lies at its own position: it is the page that the tree lacks there.
    private func isFree(_ page: Page) -> Bool {
        if page.storedNumber != page.number, misplaced.contains(page.storedNumber) { return false }
        return free.contains(page.number) || free.contains(page.storedNumber)
    }

    /// Returns the value of a node on an unreferenced page; nil if the node has no valid value.
    private func strayValue(of node: Node, in page: Page) -> FileValue? {
        switch node.content {
        case .child: return nil
        case .value(let range, let flags): return flags == 0 ? FileValue(page, range) : nil
        case .overflow(let first, _, let size):
            let needed = metas.file.overflowPages(forSize: size)
            // A page that cannot be read is not the first page of a valid value.
            guard first >= 2, first < pageCount, needed <= pageCount - first, let head = try? metas.file.page(first),
                head.storedNumber == first, head.kind == PageKind.overflow, head.overflowCount >= needed
            else { return nil }
            return FileValue(metas.file, firstPage: first, size: size)
        }
    }
}

extension FileFinding {
    /// The finding, as a finding about the commit before the last.
    fileprivate var inOlderSnapshot: FileFinding {
        FileFinding(
            .olderSnapshot, page: page, table: table, index: index, key: key,
            "\(detail) [\(kind.rawValue)], only in the commit before the last")
    }
}
