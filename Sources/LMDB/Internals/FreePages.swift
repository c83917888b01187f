// The completeness check for a file shorter than its last page.

/// The free pages of a file.
///
/// An intact file can end before its last page: pages at the end, taken and released again by a transaction, are in the
/// freelist and were never written. If any other page is missing, the file was cut off.
enum FreePages {
    /// Returns whether every page after the end of the file is free.
    ///
    /// - Complexity: O(1) if the file is as long as its last page requires; otherwise O(*n*) in the length of the list.
    static func coverWhatIsMissing(in file: PagedFile, _ meta: MetaPage) throws(LMDBError) -> Bool {
        // Read after the meta page: a commit writes its pages first.
        let pageCount = try file.pageCount
        guard pageCount <= meta.lastPage else { return true }
        var walk = SnapshotWalk(file, meta, pageCount: pageCount, visitor: NoVisitor())
        walk.walkFreePages()
        if let error = walk.readError { throw error }
        return walk.lacksNoPage
    }
}
