// Whether a data file is sound: the way in.

/// Looks through a data file page by page, and finds what is damaged.
///
/// The file is read, and nothing else: it is neither mapped nor opened by liblmdb, and no lock file is touched. So it
/// can be done with any file whatever, from any source, without danger, and while the file is in use.
///
/// ```swift
/// let report = try FileVerification.run("words.mdb")
/// for finding in report.findings { print(finding) }
/// ```
///
/// Both meta pages are checked, and all that the newer one leads to: the lists of free pages, each tree with its pages,
/// keys and counts, the pages of large values, and whether a page has two uses. Of the older one's trees, the pages
/// that only they use are checked: the commit that freed them has not reused them.
public enum FileVerification {
    /// How often a file is walked that other processes change meanwhile.
    private static let mostAttempts = 5

    /// Looks through a file.
    ///
    /// - Parameter path: The data file, or the directory that holds `data.mdb`.
    /// - Throws: ``LMDBError`` when the file cannot be read, or never was an environment: a text, an empty file.
    ///   ``LMDBError/Code/changing`` when other processes changed it again and again while it was read.
    /// - Complexity: O(*n*) in the size of the file; see ``run(_:visitor:)``.
    public static func run(_ path: String) throws -> FileReport {
        try run(path, visitor: NoVisitor())
    }

    /// Looks through a file, and shows the entries of its tables.
    ///
    /// - Parameters:
    ///   - path: The data file, or the directory that holds `data.mdb`.
    ///   - visitor: Sees the entries, and says what is wrong with them.
    /// - Throws: ``LMDBError``, as above, and what the visitor throws.
    /// - Complexity: O(*n*) in the size of the file, each page of which is read once. The memory is that of a page for
    ///   each level of a tree, a few bits for each page of the file, and 1,000 findings. The holes of a sparse file count
    ///   as pages, where the file claims that they are in use.
    public static func run<Visitor: FileVisitor>(_ path: String, visitor: Visitor) throws -> FileReport {
        for _ in 0..<mostAttempts {
            var walk = try FileWalk(path)
            visitor.begin()
            try walk.visitLastCommit(visitor)
            for finding in try visitor.end() { walk.note(finding) }
            let report = walk.report
            walk.checkCommitBefore()
            if try !walk.hasChanged() { return walk.report }
            // Another process has committed: the commit before the last is another one now, and what looks like damage
            // can be a page that was used again. Then once more.
            if report.isSound { return report }
        }
        throw LMDBError(.changing, in: "verify", path: path)
    }
}
