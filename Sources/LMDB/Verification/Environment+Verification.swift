// The verification of an open environment.

extension Environment {
    /// The maximum number of reads of the meta pages while other processes write them.
    private static let mostAttempts = 8

    /// Verifies the pages of the last commit, before liblmdb reads a page of them.
    ///
    /// A read transaction keeps these pages meanwhile, and beginning it reads the meta pages only. So commits of other
    /// processes do not disturb the verification. The pages used only by the commit before the last are not verified:
    /// no transaction of this environment reads them.
    ///
    /// - Parameter visitor: Receives the entries, and returns findings about them.
    /// - Throws: ``LMDBError`` if the file cannot be read; any error of the visitor.
    /// - Returns: The report.
    /// - Complexity: O(*n*) in the size of the file; see ``FileVerification/run(_:visitor:)``.
    package func verify<Visitor: FileVisitor>(_ visitor: Visitor) throws -> FileReport {
        try read { _ in
            var walk = try FileWalk(path)
            // Commits between the reads of the two meta pages look like damage.
            for _ in 1..<Self.mostAttempts where !walk.hasSoundHead { walk = try FileWalk(path) }
            visitor.begin()
            try walk.visitLastCommit(visitor)
            for finding in try visitor.end() { walk.note(finding) }
            return walk.report
        }
    }
}
