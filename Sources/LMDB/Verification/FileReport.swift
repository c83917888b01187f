// The report of a verified file.

/// The state of a data file.
public struct FileReport: Hashable, Sendable, Codable {
    /// A table of the file.
    public struct Table: Hashable, Sendable, Codable {
        /// The name.
        public var name: String
        /// Whether the table is of a kind that this library never creates. Its contents were not verified.
        public var isForeign: Bool
        /// The recorded number of levels.
        public var depth: Int
        /// The totals of the pages and entries found in the table.
        public var totals: TreeTotals
        /// The recorded number of entries.
        public var recordedEntries: UInt64
    }

    /// The data file.
    public var path: String
    /// Its size in bytes.
    public var fileSize: Int
    /// The format of the file; nil if neither meta page can be read.
    public var format: FileFormat?
    /// The size of a page in bytes; 0 if neither meta page can be read.
    public var pageSize = 0
    /// The number of the last commit.
    public var transaction: UInt64 = 0
    /// The number of pages ever used, including the two meta pages.
    public var pages: UInt64 = 0
    /// The number of pages used by the trees.
    public var usedPages: UInt64 = 0
    /// The number of free pages.
    public var freePages: UInt64 = 0
    /// The tables, in the order of their names.
    public var tables: [Table] = []
    /// The recorded number of tables.
    public var recordedTables: UInt64 = 0
    /// The findings, at most 1,000.
    public var findings: [FileFinding] = []
    /// The number of further findings.
    public var omittedFindings = 0
    /// The number of findings of damage, including the omitted findings.
    public var damages = 0

    /// Whether the file is intact.
    public var isSound: Bool { damages == 0 }

    init(_ metas: MetaPages) throws(LMDBError) {
        path = metas.file.path
        fileSize = try metas.file.file.size
        guard let newest = metas.newest else { return }
        format = newest.layout.format
        pageSize = newest.pageSize
        transaction = newest.transaction
        pages = newest.lastPage + 1
        recordedTables = newest.main.totals.entries
    }
}
