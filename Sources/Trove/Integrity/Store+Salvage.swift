// Copies the intact records of a damaged store into a new store.

import LMDB
import TroveCoding

extension Store {
    /// Copies every intact record into a new store, and reports the losses.
    ///
    /// A record is copied if its checksum is correct. The checksum covers the record's type, key and fields, so no
    /// damaged record gets into the new store. The damaged file is only read, and nothing in it is used unchecked.
    ///
    /// Records are copied from the trees of the last commit. The scan continues after a damaged page. If the tree of
    /// tables itself is damaged, unreachable tables are copied from the commit before.
    ///
    /// Indexes are not copied. They are rebuilt when a program with the types opens the new store. The lists of links
    /// are built from the copied links. A link of a symmetric relation that was copied in one direction gets the other
    /// direction again.
    ///
    /// While a migration to other keys is under way, a type has two tables. The unfinished table is left out if the
    /// other table is complete; otherwise both are copied.
    ///
    /// A damaged branch page hides the intact leaf pages below it. With `strayPages`, the whole file is searched for
    /// leaf pages outside all trees. As long as the lists of free pages are intact, only pages in use are read, and
    /// deleted records stay deleted. If the lists are damaged too, or if a page is in the place of another page, free
    /// pages cannot be recognized. Then deleted records and older versions of records can reappear, and the report says
    /// so. Records from stray pages never replace records from the trees. Among several stray versions of a record, the
    /// version on the first page is copied.
    ///
    /// - Parameters:
    ///   - source: The damaged store's file, or its directory. Nothing may write to the file during the salvage.
    ///   - destination: The new store's file, which must not exist yet. It appears when it is complete, or not at all.
    ///   - strayPages: Whether to search pages outside all trees.
    ///   - progress: Receives the number of pages done, and the total.
    /// - Returns: The records copied and the losses, for each type.
    /// - Throws: ``StoreError`` if the source is not a store, cannot be read or has changed during the salvage, or if
    ///   the destination cannot be written.
    /// - Complexity: O(*n*) in the size of the file, read once or twice, and O(*m* log *m*) in the number of records.
    @available(*, noasync, message: "await the call")
    public static func salvage(
        from source: String, to destination: String, strayPages: Bool = false,
        progress: @escaping (_ pages: Int, _ total: Int) -> Void = { _, _ in }
    ) throws -> SalvageReport {
        try translatingErrors {
            let file = try UnfinishedFile(for: destination)
            var salvaged = try salvage(from: source, into: file, strayPages: strayPages, progress: progress)
            do {
                try completeLinks(in: file, &salvaged)
            } catch let error as StoreError {
                salvaged.losses.append("the other directions of symmetric links: \(error)")
            }
            try file.publish()
            return salvaged
        }
    }

    private static func salvage(
        from source: String, into file: borrowing UnfinishedFile, strayPages: Bool,
        progress: @escaping (_ pages: Int, _ total: Int) -> Void
    ) throws -> SalvageReport {
        var walk = try FileWalk(source)
        let writer = try SalvageWriter(into: file, progress: progress)
        try walk.visitLastCommit(writer)
        if !walk.hasAllTables {
            writer.beginCommitBefore()
            _ = try walk.visitCommitBefore(writer)
        }
        if writer.lacksCatalogEntries {
            // These entries may be of any age. The latest are used, corrected by the contents of the tables.
            writer.beginStrayPages(.catalog)
            try walk.visitStrayPages(free: false, writer)
            try walk.visitStrayPages(free: true, writer)
        }
        if strayPages {
            writer.beginStrayPages(.records)
            try walk.visitStrayPages(free: false, writer)
        }
        let report = walk.report
        if try walk.hasChanged() {
            throw LMDBError(.changing, in: "salvage", path: source)
        }
        guard writer.isStore else { throw StoreError.file(.notAStore(path: report.path, reason: nil)) }
        var salvaged = try writer.finish(report)
        if !walk.hasSoundHead { salvaged.losses.append("a meta page: perhaps the last commit") }
        salvaged.mayHoldDeletedRecords = strayPages && walk.hasDoubtfulStrayPages
        return salvaged
    }

    /// Stores the lost directions of the links of symmetric relations. The relations whose entries are lost are
    /// completed when a program with their declarations opens the store.
    private static func completeLinks(in file: borrowing UnfinishedFile, _ report: inout SalvageReport) throws {
        // No other process knows the file.
        let options = StoreOptions(durability: .noSync, gathersTexts: false)
        var environmentOptions = try options.environmentOptions()
        environmentOptions.isLockless = true
        let store = try Store(path: file.path, options: options, environmentOptions)
        let symmetric = try store.read { $0.relations.values.filter(\.relation.form.isSymmetric) }
        for stored in symmetric.sorted(by: { $0.schema.qualifiedName < $1.schema.qualifiedName }) {
            let name = stored.schema.qualifiedName
            do {
                let (restored, removed) = try store.write { context in
                    guard let links = try context.links(stored) else { return (0, 0) }
                    let counts = try LinkWriter(links: links, context: context).restoreMirrors()
                    return (counts.stored, counts.removed)
                }
                report.restoredLinks += UInt64(restored)
                if removed > 0 {
                    report.losses.append(
                        "\(removed) link\(removed == 1 ? "" : "s") of \(name): the other entity has another link")
                }
            } catch let error as StoreError {
                report.losses.append("the other directions of the links of \(name): \(error)")
            }
        }
        try translatingErrors { try store.environment.synchronize() }
    }
}
