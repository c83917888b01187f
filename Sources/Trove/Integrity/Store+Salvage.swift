// Taking out of a damaged store what can still be read.

import LMDB
import TroveCoding

extension Store {
    /// Copies every record that can still be read into a new store, and says what was lost.
    ///
    /// A record is taken when its checksum is right, which covers its type, its key and its fields: nothing damaged
    /// gets into the new store. The damaged file is only read, and nothing in it is believed unchecked.
    ///
    /// Records are taken from the trees of the last commit; behind a damaged page the walk goes on. Where the tree of
    /// tables itself is damaged, tables that are out of reach are taken from the commit before.
    ///
    /// Indexes are not copied: they are made anew when a program opens the new store with the types declared.
    ///
    /// While a migration to other keys is under way, a type has two tables. The unfinished one is left out where the
    /// other is complete; otherwise both are taken.
    ///
    /// A damaged branch page hides sound leaf pages below it. With `strayPages`, the whole file is searched for leaf
    /// pages that no tree leads to. As long as the lists of free pages are sound, only pages that are not free are
    /// taken: what was deleted stays deleted. Where the lists are damaged too, or a page stands in another's place,
    /// free pages cannot be told apart, and records that were deleted, or older versions of records, can come back; the
    /// report says so. What the trees gave is never replaced; of several stray versions of a record, the one on the
    /// foremost page is taken.
    ///
    /// - Parameters:
    ///   - source: The damaged store's file, or the directory that holds it. Nothing may write to it meanwhile.
    ///   - destination: The new store's file, which must not be there yet. It appears when it is whole, or not at all.
    ///   - strayPages: Whether pages are searched that no tree leads to.
    ///   - progress: Receives how many pages are done, of how many.
    /// - Returns: What was copied and what was lost, for each type.
    /// - Throws: ``StoreError`` when the source is no store, cannot be read, or was written to meanwhile, or the
    ///   destination cannot be written.
    /// - Complexity: O(*n*) in the size of the file, read once or twice, and O(*m* log *m*) in the number of records.
    public static func salvage(
        from source: String, to destination: String, strayPages: Bool = false,
        progress: @escaping (_ pages: Int, _ total: Int) -> Void = { _, _ in }
    ) throws -> SalvageReport {
        try translatingErrors {
            let file = try UnfinishedFile(for: destination)
            var walk = try FileWalk(source)
            let rescue = try SalvageWriter(into: file, progress: progress)
            try walk.visitLastCommit(rescue)
            if !walk.hasAllTables {
                rescue.beginCommitBefore()
                _ = try walk.visitCommitBefore(rescue)
            }
            if rescue.lacksCatalogEntries {
                // Of any age: the latest are taken, and corrected by what the tables hold.
                rescue.beginStrayPages(.catalog)
                try walk.visitStrayPages(free: false, rescue)
                try walk.visitStrayPages(free: true, rescue)
            }
            if strayPages {
                rescue.beginStrayPages(.records)
                try walk.visitStrayPages(free: false, rescue)
            }
            let report = walk.report
            if try walk.hasChanged() {
                throw LMDBError(.changing, in: "salvage", path: source)
            }
            guard rescue.isStore else { throw StoreError.notAStore(path: report.path, reason: nil) }
            var salvaged = try rescue.finish(report)
            if !walk.hasSoundHead { salvaged.losses.append("a meta page: perhaps the last commit") }
            salvaged.mayHoldDeletedRecords = strayPages && walk.hasDoubtfulStrayPages
            try file.publish()
            return salvaged
        }
    }
}
