// The ways through a file that may be damaged: by the last commit, by the one before, and page after page.

/// A file that may be damaged, what has been seen of it, and what was found.
package struct FileWalk {
    private let metas: MetaPages
    private let pageCount: UInt64
    private var log = FindingLog()
    private var seen: FileReport
    private var used = PageSet()
    private var free = PageSet()
    private var misplaced: Set<UInt64> = []
    private var damagedTrees: Set<TreeState.Kind> = [.freePages, .tables]

    /// Opens a file, and looks at its meta pages.
    ///
    /// - Throws: `LMDBError` where the file cannot be opened, or never was an environment.
    package init(_ path: String) throws(LMDBError) {
        metas = try MetaPages(path)
        pageCount = try metas.file.pageCount
        seen = try FileReport(metas)
        for finding in metas.findings { log.note(finding) }
    }

    /// What was seen and found.
    package var report: FileReport {
        var report = seen
        report.findings = log.findings
        report.omittedFindings = log.omitted
        report.damages = log.damages
        return report
    }

    /// Whether both meta pages are as they should be.
    package var hasSoundHead: Bool { metas.findings.isEmpty }
    /// Whether the tree of tables was seen, and no damage in it.
    package var hasAllTables: Bool { !damagedTrees.contains(.tables) }
    /// Whether entries of stray pages can be out of date: the lists of free pages are damaged, or a page was shown that
    /// does not lie where its number says.
    package var hasDoubtfulStrayPages: Bool { damagedTrees.contains(.freePages) || hasShownMisplacedPages }
    private var hasShownMisplacedPages = false

    /// Takes up a finding of another's.
    package mutating func note(_ finding: FileFinding) { log.note(finding) }

    /// Whether there has been a commit since the file was opened.
    package func hasChanged() throws(LMDBError) -> Bool {
        try MetaPages(metas.file.path).newest?.transaction != metas.newest?.transaction
    }

    /// Walks all that the last commit holds.
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
        visitor.advance(to: used.count, of: used.count)
    }

    /// Walks all that the commit before the last holds; false where that is not known.
    package mutating func visitCommitBefore<Visitor: FileVisitor>(
        _ visitor: Visitor
    ) throws(Visitor.Failure) -> Bool {
        guard let older = metas.older else { return false }
        var walk = SnapshotWalk(metas.file, older, pageCount: pageCount, visitor: visitor)
        try walk.walk()
        return true
    }

    /// Looks at those pages that only the commit before the last uses.
    mutating func checkCommitBefore() {
        guard let older = metas.older, older.transaction != seen.transaction else { return }
        var walk = SnapshotWalk(metas.file, older, pageCount: pageCount, known: used, visitor: NoVisitor())
        walk.walk()
        for finding in walk.log.findings where finding.isDamage { log.note(finding.inOlderSnapshot) }
    }

    /// Shows the entries of all leaf pages that the last commit does not lead to, of whatever table and age they are.
    ///
    /// Where the lists of free pages are sound, pages that are neither free nor in use have lost their way to damage:
    /// what they hold was valid in the last commit. Free pages hold what was deleted or replaced.
    ///
    /// - Parameters:
    ///   - isFree: Whether the pages in the lists of free pages are shown, rather than the others.
    ///   - visitor: Sees the entries, without a table.
    /// - Complexity: O(*n*) in the size of the file.
    package mutating func visitStrayPages<Visitor: FileVisitor>(
        free isFree: Bool, _ visitor: Visitor
    ) throws(Visitor.Failure) {
        guard pageCount > 2 else { return }
        for number in 2..<pageCount where !used.contains(number) || misplaced.contains(number) {
            if number % 64 == 0 { visitor.advance(to: number, of: pageCount) }
            guard let page = try? metas.file.page(number), page.kind == PageKind.leaf, let count = page.nodeCount,
                self.isFree(page) == isFree
            else { continue }
            if page.storedNumber != number { hasShownMisplacedPages = true }
            for index in 0..<count {
                guard let node = page.node(index), let value = strayValue(of: node, in: page) else { continue }
                let key = Array(page.bytes[node.key])
                _ = try visitor.visit(FileEntry(table: nil, key: key, value: value, page: number, index: index))
            }
        }
    }

    /// Whether a page holds what was given up. One that does not lie where its number says, but whose place is taken,
    /// is what the tree lacks there.
    private func isFree(_ page: Page) -> Bool {
        if page.storedNumber != page.number, misplaced.contains(page.storedNumber) { return false }
        return free.contains(page.number) || free.contains(page.storedNumber)
    }

    /// The value of a node on a page that no tree leads to; nil where it cannot be one.
    private func strayValue(of node: Node, in page: Page) -> FileValue? {
        switch node.content {
        case .child: return nil
        case .value(let range, let flags): return flags == 0 ? FileValue(page, range) : nil
        case .overflow(let first, let size):
            let needed = metas.file.overflowPages(forSize: size)
            guard first >= 2, first < pageCount, needed <= pageCount - first, let head = try? metas.file.page(first),
                head.storedNumber == first, head.kind == PageKind.overflow, head.overflowCount >= needed
            else { return nil }
            return FileValue(metas.file, firstPage: first, size: size)
        }
    }
}

extension FileFinding {
    /// The same, as a finding about the commit before the last.
    fileprivate var inOlderSnapshot: FileFinding {
        FileFinding(
            .olderSnapshot, page: page, table: table, index: index, key: key,
            "\(detail) [\(kind.rawValue)], only in the commit before the last")
    }
}
