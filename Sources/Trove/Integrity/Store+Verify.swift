// Verifies a store's file without opening the store.

import LMDB
import TroveCoding

extension Store {
    /// Verifies a store's file page by page, including the checksum of every record.
    ///
    /// The file is only read, and nothing in it is used unchecked. So no damage can do harm, and a file from an
    /// untrusted source can be verified before it is opened. The store may be in use at the same time.
    ///
    /// ```swift
    /// let report = try Store.verify(path: "people.trove")
    /// for finding in report.findings { print(finding) }
    /// ```
    ///
    /// The verification covers both meta pages. For the last commit, it covers the lists of free pages, every tree, the
    /// pages of large values, the catalog, each record and each index entry. For the commit before, it covers the pages
    /// used by that commit only. Checksums detect accidental damage, but a deliberate change can include a new
    /// checksum. `check()` compares indexes with their records.
    ///
    /// - Parameters:
    ///   - path: The store's file, or its directory.
    ///   - progress: Receives the number of pages done, and the total. An error ends the verification.
    /// - Returns: The contents of the store and the findings. An intact LMDB file of another program is reported as
    ///   sound, but not as a store.
    /// - Throws: ``StoreError`` if there is nothing to verify: no such file, no permission, a file of another kind, or
    ///   a later format. Also if other processes keep changing the file. The error of `progress`.
    /// - Complexity: O(*n*) in the size of the file, which is read once. It takes a few bits of memory for each page,
    ///   including the holes of a sparse file.
    @available(*, noasync, message: "await the call")
    public static func verify(
        path: String, progress: @escaping (_ pages: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> VerificationReport {
        let inspector = VerifyVisitor(path: path, progress: progress)
        let file = try translatingErrors { try FileVerification.run(path, visitor: inspector) }
        return VerificationReport(file, inspector)
    }
}
