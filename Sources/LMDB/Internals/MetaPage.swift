// A meta page of a data file.

/// The fields of a meta page that matter before the file is mapped.
struct MetaPage {
    static let byteCount = 152

    let pageSize: Int
    let freePages: TreeRecord
    let main: TreeRecord
    let lastPage: UInt64
    let transaction: UInt64
    /// The page's own number and kind, from its header.
    let storedNumber: UInt64
    let kind: UInt16

    /// The bytes of the file up to the last page.
    var usedSize: Int { (Int(lastPage) + 1) * pageSize }

    /// Reads the meta page at an offset, and rejects impossible numbers.
    init(in file: borrowing ReadableFile, at offset: Int) throws(LMDBError) {
        let bytes = try file.bytes(at: offset, count: Self.byteCount)
        if bytes.count < Self.byteCount, offset > 0 {
            throw LMDBError(truncated: file.path, size: try file.size, expected: 2 * offset)
        }
        guard let kind = bytes.integer(UInt16.self, at: 10), bytes.integer(UInt32.self, at: 16) == 0xBEEF_C0DE,
            kind & PageKind.meta != 0, let version = bytes.integer(UInt32.self, at: 20)
        else { throw LMDBError(.invalid, in: "open", path: file.path) }
        guard version == 1 else { throw LMDBError(.versionMismatch, in: "open", path: file.path) }
        guard let storedNumber = bytes.integer(UInt64.self, at: 0),
            let pageSize = bytes.integer(UInt32.self, at: 40), let mapSize = bytes.integer(UInt64.self, at: 32),
            let freePages = TreeRecord(bytes, at: 40), let main = TreeRecord(bytes, at: 88),
            let lastPage = bytes.integer(UInt64.self, at: 136), let transaction = bytes.integer(UInt64.self, at: 144),
            // The limits exceed any file and any address space, and leave room for calculations.
            pageSize.nonzeroBitCount == 1, Self.pageSizes.contains(Int(pageSize)), (1..<(1 << 47)).contains(lastPage),
            mapSize < 1 << 62, transaction < 1 << 62
        else { throw LMDBError(.corrupted, in: "open", path: file.path) }
        self.storedNumber = storedNumber
        self.kind = kind
        self.pageSize = Int(pageSize)
        self.freePages = freePages
        self.main = main
        self.lastPage = lastPage
        self.transaction = transaction
    }

    /// The range of page sizes; only powers of 2 are used.
    static let pageSizes = 512...32_768

    /// Returns the meta page of the last commit, after reading both.
    ///
    /// Another process may be writing a meta page during the read: if it looks damaged, it is read again.
    static func newest(in file: borrowing ReadableFile) throws(LMDBError) -> MetaPage {
        for _ in 0..<3 {
            do throws(LMDBError) {
                return try newestAtOnce(in: file)
            } catch  where error.code == .corrupted {
                continue
            }
        }
        return try newestAtOnce(in: file)
    }

    private static func newestAtOnce(in file: borrowing ReadableFile) throws(LMDBError) -> MetaPage {
        let first = try MetaPage(in: file, at: 0)
        let second = try MetaPage(in: file, at: first.pageSize)
        guard first.pageSize == second.pageSize else { throw LMDBError(.corrupted, in: "open", path: file.path) }
        let newest = first.transaction < second.transaction ? second : first
        // Not checked for the older meta page. If its write failed, liblmdb has restored its old number and its old
        // last page, next to roots that may lie after it.
        guard [newest.freePages, newest.main].allSatisfy({ $0.isEmpty || $0.root <= newest.lastPage }) else {
            throw LMDBError(.corrupted, in: "open", path: file.path)
        }
        return newest
    }
}
