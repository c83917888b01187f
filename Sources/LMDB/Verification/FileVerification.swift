// The verification of a data file: the public functions.

/// Verifies a data file page by page, and reports damage.
///
/// The file is only read: it is neither mapped nor opened by liblmdb, and no lock file is touched. So any file, from
/// any source, can be verified safely, even while it is in use.
///
/// ```swift
/// let report = try FileVerification.run("words.mdb")
/// for finding in report.findings { print(finding) }
/// ```
///
/// Both meta pages are checked, and everything that the newer meta page leads to: the freelists, each tree with its
/// pages, keys and counts, the pages of large values, and pages with two uses. For the older meta page, only the pages
/// unused by newer trees are checked: the commit that freed them has not reused them.
public enum FileVerification {
    /// The maximum number of attempts for a file that other processes keep changing.
    private static let mostAttempts = 5

    /// Verifies a file.
    ///
    /// - Parameter path: The data file, or the directory that holds `data.mdb`.
    /// - Throws: ``LMDBError`` if the file cannot be read, or never was an environment: a text, an empty file.
    ///   ``LMDBError/Code/changing`` if other processes repeatedly changed it during the verification.
    /// - Returns: The report.
    /// - Complexity: O(*n*) in the size of the file; see ``run(_:visitor:)``.
    public static func run(_ path: String) throws -> FileReport {
        try run(path, visitor: NoVisitor())
    }

    /// Verifies a file, and passes the entries of its tables to a visitor.
    ///
    /// - Parameters:
    ///   - path: The data file, or the directory that holds `data.mdb`.
    ///   - visitor: Receives the entries, and returns findings about them.
    /// - Throws: ``LMDBError``, as above, and any error of the visitor.
    /// - Returns: The report.
    /// - Complexity: O(*n*) in the size of the file; each page is read once. The memory is a page for each level of a
    ///   tree, a few bits for each page of the file, and 1,000 findings. The holes of a sparse file count as pages if
    ///   the file marks them as used.
    public static func run<Visitor: FileVisitor>(_ path: String, visitor: Visitor) throws -> FileReport {
        for _ in 0..<mostAttempts {
            var walk = try FileWalk(path)
            visitor.begin()
            try walk.visitLastCommit(visitor)
            for finding in try visitor.end() { walk.note(finding) }
            let report = walk.report
            walk.checkCommitBefore()
            if try !walk.hasChanged() { return walk.report }
            // Another process has committed. The commit before the last has changed, and apparent damage can be a
            // reused page: verify again.
            if report.isSound { return report }
        }
        throw LMDBError(.changing, in: "verify", path: path)
    }
}
