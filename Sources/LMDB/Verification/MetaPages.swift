// The two meta pages of a possibly damaged file, and the checks between them.

/// The usable meta pages of a file.
struct MetaPages {
    let file: PagedFile
    /// The meta page of the last commit; nil if neither page can be used.
    let newest: MetaPage?
    /// The meta page of the commit before the last, if both pages can be used.
    let older: MetaPage?
    let findings: [FileFinding]

    /// Opens a file and reads both meta pages.
    ///
    /// - Throws: `LMDBError` if the file cannot be opened, or never was an environment; `unsupportedFile` if its pages
    ///   are encrypted or have checksums.
    init(_ path: String) throws(LMDBError) {
        let file = try Self.open(path)
        let first = Self.attempt(file, at: 0)
        // The page size in the second meta page must equal its offset. Without a second page, the first page gives the
        // size.
        // A meta page that cannot be read has no page size. It becomes a finding below.
        let size = Self.allPageSizes.first { (try? Self.attempt(file, at: $0).get().pageSize) == $0 }
        let pageSize = size ?? (try? first.get().pageSize)
        guard let pageSize else {
            let layout = try Self.guessedLayout(file)
            findings = [FileFinding(.metaPage, "neither meta page can be read")]
            (newest, older) = (nil, nil)
            self.file = PagedFile(file, pageSize: Self.guessedPageSize, layout)
            return
        }
        let both = [first, Self.attempt(file, at: pageSize)]
        var findings: [FileFinding] = []
        var usable: [MetaPage] = []
        for (number, result) in both.enumerated() {
            switch result {
            // A first meta page that cannot be read is a finding of its own.
            case .success(let meta) where meta.layout.format != (try? first.get())?.layout.format ?? meta.layout.format:
                findings.append(FileFinding(.metaPage, page: UInt64(number), "the meta pages have two formats"))
            case .success(let meta) where meta.pageSize == pageSize:
                usable.append(meta)
                if let problem = meta.problem(onPage: number) {
                    findings.append(FileFinding(.metaPage, page: UInt64(number), problem))
                }
            case .success(let meta):
                let words = "the meta page gives a page size of \(meta.pageSize) bytes, the other meta page \(pageSize)"
                findings.append(FileFinding(.metaPage, page: UInt64(number), words))
            case .failure(let error) where error.code == .unsupportedFile:
                throw error
            case .failure(let error):
                findings.append(FileFinding(Self.kind(error), page: UInt64(number), Self.words(error)))
            }
        }
        let layout = usable.first?.layout ?? .loaded
        self.file = PagedFile(file, pageSize: pageSize, layout)
        newest = usable.count == 2 && usable[0].transaction < usable[1].transaction ? usable[1] : usable.first
        older = usable.count == 2 ? (newest?.transaction == usable[1].transaction ? usable[0] : usable[1]) : nil
        if let newest, let older, let problem = newest.problem(after: older) {
            findings.append(FileFinding(.metaPage, problem))
        }
        self.findings = findings
    }

    // MARK: Files

    private static func open(_ path: String) throws(LMDBError) -> ReadableFile {
        guard !path.utf8.contains(0) else { throw LMDBError(.invalidArgument, in: "verify", path: path) }
        var path = try FileCalls.canonicalPath(of: path)
        try FileCalls.refuseLockFile(path)
        if try FileCalls.status(of: path)?.kind == .directory { path += "/data.mdb" }
        guard let status = try FileCalls.status(of: path) else {
            throw LMDBError(.noSuchFile, in: "verify", path: path)
        }
        guard status.kind == .regular else { throw LMDBError(.notAFile, in: "verify", path: path) }
        guard status.size > 0 else { throw LMDBError(.emptyFile, in: "verify", path: path) }
        return try ReadableFile(path)
    }

    /// The maximum number of reads of the meta pages while other processes write them.
    private static let mostAttempts = 8

    /// Returns the meta pages of a file in use, and the meta page of the last commit.
    ///
    /// - Throws: `LMDBError` if the file cannot be opened, or if no meta page can be used.
    static func lastCommit(of path: String) throws(LMDBError) -> (MetaPages, MetaPage) {
        var metas = try MetaPages(path)
        // Commits between the reads of the two meta pages look like damage.
        for _ in 1..<mostAttempts where !metas.findings.isEmpty { metas = try MetaPages(path) }
        guard let newest = metas.newest else { throw LMDBError(.corrupted, in: "read", path: path) }
        return (metas, newest)
    }

    private static func attempt(_ file: borrowing ReadableFile, at offset: Int) -> Result<MetaPage, LMDBError> {
        do throws(LMDBError) {
            return .success(try MetaPage(in: file, at: offset))
        } catch {
            return .failure(error)
        }
    }

    private static let allPageSizes = [4096, 16_384, 65_536, 32_768, 8192, 2048, 1024, 512, 256]
    /// The page size if the file does not contain it.
    private static let guessedPageSize = 4096

    /// Returns the layout of a file whose meta pages cannot be used.
    ///
    /// - Throws: `invalid` for a file without any trace of an environment: neither the magic number of a meta page nor
    ///   a page with its own number. The error of a format that this library cannot read.
    private static func guessedLayout(_ file: borrowing ReadableFile) throws(LMDBError) -> PageLayout {
        let firstError = attempt(file, at: 0)
        for size in [0] + allPageSizes {
            guard let layout = MetaPage.layoutByMagic(try file.bytes(at: size, count: PageLayout.version3.metaSize))
            else { continue }
            guard case .failure(let error) = firstError, [.versionMismatch, .unsupportedFile].contains(error.code)
            else { return layout }
            throw error
        }
        for number in 2..<UInt64(64) {
            let bytes = try file.bytes(at: Int(number) * guessedPageSize, count: guessedPageSize)
            guard bytes.count == guessedPageSize else { break }
            let kinds = [PageKind.branch, PageKind.leaf, PageKind.overflow]
            let layout = PageLayout.all.first { layout in
                let page = Page(number: number, bytes: bytes, layout: layout)
                return page.storedNumber == number && kinds.contains(page.kind)
            }
            if let layout { return layout }
        }
        throw LMDBError(.invalid, in: "verify", path: file.path)
    }

    private static func kind(_ error: LMDBError) -> FileFinding.Kind {
        switch error.code {
        case .truncated: .truncated
        case .inputOutput: .unreadable
        default: .metaPage
        }
    }

    private static func words(_ error: LMDBError) -> String {
        switch error.code {
        case .invalid: "the meta page lacks LMDB's magic number"
        case .versionMismatch: "the meta page has another format version"
        case .corrupted: "the numbers in the meta page are impossible"
        case .truncated: "the file ends before the end of the meta page"
        default: "the meta page could not be read: \(error)"
        }
    }
}

extension MetaPage {
    /// Returns the problem of a meta page whose numbers are possible.
    fileprivate func problem(onPage number: Int) -> String? {
        // The flags of the environment are stored in place of the first tree's flags: no subdirectory, a fixed map.
        let treeFlags = freePages.flags & ~0x4001
        if storedNumber != UInt64(number) { return "the meta page contains the page number \(storedNumber)" }
        if kind != PageKind.meta { return "the meta page is of kind \(kind)" }
        if transaction != 0, Int(transaction % 2) != number {
            return "transaction \(transaction) does not belong on this meta page"
        }
        return treeFlags == 0x08 ? nil : "the freelist's tree has the flags \(freePages.flags)"
    }

    /// Returns the contradiction between the meta pages of two commits.
    fileprivate func problem(after older: MetaPage) -> String? {
        if transaction != older.transaction + 1, transaction != 0 {
            return
                "the meta pages are of transactions \(older.transaction) and \(transaction), which are not consecutive"
        }
        return main.flags == older.main.flags ? nil : "the flags of the main tree are not the same in both meta pages"
    }
}
