// A meta page of a data file.

/// The fields of a meta page that matter before the file is mapped.
struct MetaPage {
    let layout: PageLayout
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
        // The last bytes of the page before the second meta page are the size of the checksums in each page.
        let before = min(offset, Self.checksumSizeBytes)
        let read = try file.bytes(at: offset - before, count: before + PageLayout.version3.metaSize)
        let bytes = Array(read.dropFirst(before))
        if bytes.count < PageLayout.version1.metaSize, offset > 0 {
            throw LMDBError(truncated: file.path, size: try file.size, expected: 2 * offset)
        }
        guard let layout = Self.layout(of: bytes), let version = bytes.integer(UInt32.self, at: layout.headerSize + 4)
        else { throw LMDBError(.invalid, in: "open", path: file.path) }
        guard version == layout.format.rawValue else {
            throw LMDBError(.versionMismatch, in: "open", path: file.path, limit: Int(version))
        }
        let start = layout.headerSize
        guard let storedNumber = bytes.integer(UInt64.self, at: 0),
            let kind = bytes.integer(UInt16.self, at: layout.kindOffset),
            let pageSize = bytes.integer(UInt32.self, at: start + 24),
            let mapSize = bytes.integer(UInt64.self, at: start + 16),
            let freePages = TreeRecord(bytes, at: start + 24), let main = TreeRecord(bytes, at: start + 72),
            let lastPage = bytes.integer(UInt64.self, at: start + 120),
            let transaction = bytes.integer(UInt64.self, at: start + 128),
            // The limits exceed any file and any address space, and leave room for calculations.
            pageSize.nonzeroBitCount == 1, layout.pageSizes.contains(Int(pageSize)),
            (1..<(1 << 47)).contains(lastPage), mapSize < 1 << 62, transaction < 1 << 62
        else { throw LMDBError(.corrupted, in: "open", path: file.path) }
        let hasChecksums = layout.format == .version3 && before > 0 && read.integer(UInt16.self, at: 0) != 0
        if hasChecksums || layout.format == .version3 && freePages.flags & Self.encryptedFlag != 0 {
            throw LMDBError(.unsupportedFile, in: "open", path: file.path)
        }
        self.layout = layout
        self.storedNumber = storedNumber
        self.kind = kind
        self.pageSize = Int(pageSize)
        self.freePages = freePages
        self.main = main
        self.lastPage = lastPage
        self.transaction = transaction
    }

    private static let checksumSizeBytes = 2
    private static let encryptedFlag: UInt16 = 0x2000
    private static let magic: UInt32 = 0xBEEF_C0DE

    /// Returns the layout in which bytes are the beginning of a meta page; nil if there is none.
    private static func layout(of bytes: [UInt8]) -> PageLayout? {
        guard let layout = layoutByMagic(bytes), let kind = bytes.integer(UInt16.self, at: layout.kindOffset),
            kind & PageKind.meta != 0
        else { return nil }
        return layout
    }

    /// Returns the layout by the place of the magic number; nil if it is in neither place.
    static func layoutByMagic(_ bytes: [UInt8]) -> PageLayout? {
        PageLayout.all.first { bytes.integer(UInt32.self, at: $0.headerSize) == magic }
    }

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

    /// Raises the numbers of both commits in the meta pages of a file that is not open, so that the last number is
    /// above a number. A commit's number decides which of the two meta pages it is stored in.
    static func raiseTransactions(in path: String, above least: UInt64) throws(LMDBError) {
        let newest = try newest(in: ReadableFile(path))
        let page = newest.transaction % 2
        let number = least + 1 + (least + 1 + page) % 2
        guard number > newest.transaction else { return }
        for (page, number) in [(page, number), (1 - page, number - 1)] {
            let offset = Int(page) * newest.pageSize + newest.layout.headerSize + 128
            try FileCalls.write(number, at: offset, in: path)
        }
    }

    private static func newestAtOnce(in file: borrowing ReadableFile) throws(LMDBError) -> MetaPage {
        let first = try MetaPage(in: file, at: 0)
        let second = try MetaPage(in: file, at: first.pageSize)
        guard first.pageSize == second.pageSize, first.layout.format == second.layout.format else {
            throw LMDBError(.corrupted, in: "open", path: file.path)
        }
        let newest = first.transaction < second.transaction ? second : first
        // Not checked for the older meta page. If its write failed, liblmdb has restored its old number and its old
        // last page, next to roots that may lie after it.
        guard [newest.freePages, newest.main].allSatisfy({ $0.isEmpty || $0.root <= newest.lastPage }) else {
            throw LMDBError(.corrupted, in: "open", path: file.path)
        }
        return newest
    }
}
