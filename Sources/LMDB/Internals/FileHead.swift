// The head of a data file, read with `pread` before liblmdb maps the file and trusts its contents.
//
//     meta page = page header · magic 4 · version 4 · address 8 · map size 8 · tree of free pages 48 · main tree 48
//                 · last page 8 · transaction 8                     in the machine's byte order; there are two
//
// The trees' records are pictured in TreeRecord.swift, the page header in Page.swift. The header of LMDB 1.0 is longer,
// so the magic number shows which format a file has.

/// The check of a data file's head.
enum FileHead {
    /// Rejects a file of another kind before liblmdb does and leaves a lock file next to it. Also rejects files that
    /// would crash liblmdb.
    ///
    /// - Throws: `otherFormat` if the file has the other format of LMDB.
    static func check(_ path: String) throws(LMDBError) {
        let file = try ReadableFile(path)
        var meta = try MetaPage.newest(in: file)
        guard meta.layout.format == Engine.format else { throw LMDBError(otherFormat: meta.layout.format, path) }
        let pages = PagedFile(file, pageSize: meta.pageSize, meta.layout)
        // Another process may commit and reuse pages while they are read here: then the check is repeated.
        for _ in 0..<8 {
            if try FreePages.coverWhatIsMissing(in: pages, meta) { return }
            let now = try MetaPage.newest(in: pages.file)
            if now.transaction == meta.transaction { break }
            meta = now
        }
        throw LMDBError(truncated: path, size: try pages.file.size, expected: meta.usedSize)
    }
}

extension LMDBError {
    init(otherFormat format: FileFormat, _ path: String) {
        self.init(.otherFormat, in: "open", path: path)
        self.format = format
    }

    init(truncated path: String, size: Int, expected: Int) {
        self.init(.truncated, in: "open", path: path, limit: expected)
        self.size = size
    }
}
