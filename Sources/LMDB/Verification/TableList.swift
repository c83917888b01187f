// The tables of a file by their records, without a walk of their pages.

/// The tables of a file in its last commit, as their records describe them.
package struct TableList: Sendable {
    /// A table.
    package struct Table: Sendable {
        /// The name.
        package let name: String
        /// The recorded number of entries.
        package let entries: Int
        /// The recorded number of pages.
        package let pages: Int

        fileprivate init(_ name: String, _ totals: TreeTotals) {
            self.name = name
            entries = Int(clamping: totals.entries)
            // The numbers of a damaged record can be anything.
            pages = [totals.branchPages, totals.leafPages, totals.overflowPages].map { Int(clamping: $0) }.clampedSum()
        }
    }

    /// The number of the commit.
    package let transaction: Int
    /// The size of a page in bytes.
    package let pageSize: Int
    /// The number of pages that were ever used, including the two meta pages.
    package let pages: Int
    /// The number of pages in freelists.
    package let freePages: Int
    /// The tables in the order of their names.
    package let tables: [Table]
    /// The damage found in the pages read, at most 1,000 findings.
    package let findings: [FileFinding]

    /// Reads the tables of a file, and passes the entries of a single table to a visitor. The caller has a read
    /// transaction open, which keeps the pages meanwhile.
    ///
    /// The pages are read from the file, and nothing in them is trusted.
    ///
    /// - Parameters:
    ///   - path: The data file.
    ///   - name: The name of the table whose entries are visited.
    ///   - visitor: Receives the entries, and returns findings about them.
    /// - Throws: ``LMDBError`` if the file cannot be read, or was cut off; any error of the visitor.
    /// - Complexity: O(*n*) in the number of tables and of free pages, and in the size of the visited table.
    package init<Visitor: FileVisitor>(_ path: String, visiting name: String, _ visitor: Visitor) throws {
        let (metas, newest) = try MetaPages.lastCommit(of: path)
        var walk = SnapshotWalk(metas.file, newest, pageCount: try metas.file.pageCount, visitor: visitor)
        visitor.begin()
        try walk.walkTables(visiting: name)
        if let error = walk.readError { throw error }
        guard walk.lacksNoPage else {
            throw LMDBError(truncated: path, size: try metas.file.file.size, expected: newest.usedSize)
        }
        transaction = Int(newest.transaction)
        pageSize = newest.pageSize
        pages = Int(newest.lastPage) + 1
        freePages = Int(walk.free.count)
        tables = walk.pendingTables.map { Table($0.name, $0.record.totals) }
        findings = walk.log.findings.filter(\.isDamage)
    }
}
