// What a walk over a whole file has seen and found.

/// The state of a data file.
public struct FileReport: Hashable, Sendable, Codable {
    /// A table of the file.
    public struct Table: Hashable, Sendable, Codable {
        /// The name.
        public var name: String
        /// Whether the table is of a kind that this library never makes: it was not looked into.
        public var isForeign: Bool
        /// The number of levels, as the file has it.
        public var depth: Int
        /// What was seen in it.
        public var totals: TreeTotals
        /// How many entries it has, as the file has it.
        public var recordedEntries: UInt64
    }

    /// The data file.
    public var path: String
    /// Its size in bytes.
    public var fileSize: Int
    /// The size of a page in bytes; 0 where neither meta page can be read.
    public var pageSize = 0
    /// The number of the last commit.
    public var transaction: UInt64 = 0
    /// How many pages there have ever been, the two meta pages included.
    public var pages: UInt64 = 0
    /// How many pages the trees use.
    public var usedPages: UInt64 = 0
    /// How many pages are free.
    public var freePages: UInt64 = 0
    /// The tables, in the order of their names.
    public var tables: [Table] = []
    /// How many tables there are, as the file has it.
    public var recordedTables: UInt64 = 0
    /// What was found, at most 1,000 findings.
    public var findings: [FileFinding] = []
    /// How many more there are.
    public var omittedFindings = 0
    /// How many of all findings are damage.
    public var damages = 0

    /// Whether nothing is damaged.
    public var isSound: Bool { damages == 0 }

    init(_ metas: MetaPages) throws(LMDBError) {
        path = metas.file.path
        fileSize = try metas.file.file.size
        guard let newest = metas.newest else { return }
        pageSize = newest.pageSize
        transaction = newest.transaction
        pages = newest.lastPage + 1
        recordedTables = newest.main.totals.entries
    }
}
