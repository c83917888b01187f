// The pages of a data file, read singly with `pread`.

/// A data file that is open for reading, in pages.
final class PagedFile: Sendable {
    let file: ReadableFile
    let pageSize: Int
    let layout: PageLayout

    init(_ file: consuming ReadableFile, pageSize: Int, _ layout: PageLayout) {
        self.file = file
        self.pageSize = pageSize
        self.layout = layout
    }

    var path: String { file.path }

    /// The current number of whole pages of the file.
    var pageCount: UInt64 {
        get throws(LMDBError) { UInt64(max(0, try file.size) / pageSize) }
    }

    /// Returns a page, which must lie in the file; nil if the file has become shorter.
    func page(_ number: UInt64) throws(LMDBError) -> Page? {
        let bytes = try file.bytes(at: Int(number) * pageSize, count: pageSize)
        return bytes.count == pageSize ? Page(number: number, bytes: bytes, layout: layout) : nil
    }

    /// Returns the number of overflow pages for a value of `size` bytes.
    func overflowPages(forSize size: Int) -> UInt64 {
        UInt64((layout.headerSize - 1 + size) / pageSize + 1)
    }
}
