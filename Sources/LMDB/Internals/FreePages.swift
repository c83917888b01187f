// The list of free pages in a data file, read with `pread`, for files that are shorter than their last page.
//
//     page   = page number 8 · 2 · flags 2 · end of the offsets 2 · 2 · offsets of the nodes, 2 each · … · nodes
//     node   = low 2 · high 2 · flags 2 · key size 2 · key · value     of a leaf; the value has low + high << 16 bytes
//            = low 2 · middle 2 · high 2 · key size 2 · key            of a branch: the number of the page below
//     value  = how many 8 · page numbers 8 each; a big one: the number of its first page, where it follows the header

/// Which pages nobody uses.
///
/// A sound file can end before its last page: pages at the end which a transaction took and gave up again are in this
/// list, and were never written. A file that lacks any other page was cut off.
struct FreePages: ~Copyable {
    private static let headerSize = 16

    private let pageSize: Int
    private let wholePages: Int
    private let missing: Range<UInt64>
    private var free: Set<UInt64> = []

    /// Whether every page that lies beyond the end of the file is free.
    static func coverWhatIsMissing(in file: borrowing ReadableFile, _ meta: MetaPage) throws(LMDBError) -> Bool {
        // After the meta page was read: a commit writes its pages first.
        let wholePages = try file.size / meta.pageSize
        guard UInt64(wholePages) <= meta.lastPage else { return true }
        var list = FreePages(
            pageSize: meta.pageSize, wholePages: wholePages, missing: UInt64(wholePages)..<(meta.lastPage + 1))
        return try list.read(from: meta.freePagesRoot, in: file) && list.free.count == list.missing.count
    }

    private init(pageSize: Int, wholePages: Int, missing: Range<UInt64>) {
        self.pageSize = pageSize
        self.wholePages = wholePages
        self.missing = missing
    }

    /// Walks the tree; false where it is not one.
    private mutating func read(from root: UInt64, in file: borrowing ReadableFile) throws(LMDBError) -> Bool {
        var pending = root == MetaPage.noPage ? [] : [root]
        // A tree visits no page twice.
        var visits = 0
        while let number = pending.popLast() {
            visits += 1
            guard visits <= wholePages, number < wholePages else { return false }
            let page = try file.bytes(at: Int(number) * pageSize, count: pageSize)
            guard let flags = page.integer(UInt16.self, at: 10), let end = page.integer(UInt16.self, at: 12) else {
                return false
            }
            for offset in stride(from: Self.headerSize, to: Int(end), by: 2) {
                guard let node = page.integer(UInt16.self, at: offset).map(Int.init) else { return false }
                if flags & PageFlags.branch != 0 {
                    guard let child = Self.child(of: page, node) else { return false }
                    pending.append(child)
                } else {
                    guard flags & PageFlags.leaf != 0, try readValue(of: page, node, in: file) else { return false }
                }
            }
        }
        return true
    }

    private static func child(of page: [UInt8], _ node: Int) -> UInt64? {
        guard let low = page.integer(UInt32.self, at: node), let high = page.integer(UInt16.self, at: node + 4) else {
            return nil
        }
        return UInt64(low) | UInt64(high) << 32
    }

    /// Takes up those pages of one list that are missing in the file.
    private mutating func readValue(
        of page: [UInt8], _ node: Int, in file: borrowing ReadableFile
    ) throws(LMDBError) -> Bool {
        guard let size = page.integer(UInt32.self, at: node).map(Int.init),
            let flags = page.integer(UInt16.self, at: node + 4), let keySize = page.integer(UInt16.self, at: node + 6)
        else { return false }
        var bytes = page
        var start = node + 8 + Int(keySize)
        if flags & PageFlags.bigValue != 0 {
            guard let first = page.integer(UInt64.self, at: start), first < wholePages,
                size <= (wholePages - Int(first)) * pageSize - Self.headerSize, size > 0
            else { return false }
            bytes = try file.bytes(at: Int(first) * pageSize + Self.headerSize, count: size)
            start = 0
        }
        guard let count = bytes.integer(UInt64.self, at: start), count <= size / 8 else { return false }
        for index in 0..<Int(count) {
            guard let number = bytes.integer(UInt64.self, at: start + 8 + 8 * index) else { return false }
            if missing.contains(number) { free.insert(number) }
        }
        return true
    }
}
