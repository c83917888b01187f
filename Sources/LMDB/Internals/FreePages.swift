// Whether a file that is shorter than its last page is whole.

/// Which pages nobody uses.
///
/// A sound file can end before its last page: pages at the end which a transaction took and gave up again are in the
/// list of free pages, and were never written. A file that lacks any other page was cut off.
enum FreePages {
    /// Whether every page that lies beyond the end of the file is free.
    ///
    /// - Complexity: O(1) where the file is as long as its last page demands; else O(*n*) in the length of the list.
    static func coverWhatIsMissing(in file: PagedFile, _ meta: MetaPage) throws(LMDBError) -> Bool {
        // After the meta page was read: a commit writes its pages first.
        let pageCount = try file.pageCount
        guard pageCount <= meta.lastPage else { return true }
        var walk = SnapshotWalk(file, meta, pageCount: pageCount, visitor: NoVisitor())
        walk.walkFreePages()
        if let error = walk.readError { throw error }
        return walk.lacksNoPage
    }
}
