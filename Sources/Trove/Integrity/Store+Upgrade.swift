// Upgrades a store's file to the format of the loaded liblmdb.

import LMDB

extension Store {
    /// Returns the format of a store's file, and what its upgrade would need. Nothing is written.
    ///
    /// - Parameter path: The store's file, or its directory.
    /// - Throws: ``StoreError`` if there is no such file, or it is a file of another kind.
    public static func upgradePlan(path: String) throws -> UpgradePlan {
        try translatingErrors {
            let plan = try ConversionPlan(path: path)
            return UpgradePlan(
                path: plan.path, format: plan.format, target: Engine.format, library: Engine.library,
                isInUse: plan.isInUse, neededSpace: plan.neededSpace, availableSpace: plan.availableSpace)
        }
    }

    /// Converts a store's file to the format of the loaded liblmdb, 0.9 or 1.0; does nothing if it has that format.
    ///
    /// An opening does the same by itself, unless its options have ``StoreOptions/Conversion/never``. All entries go
    /// into a new file, are compared, and the new file takes the place of the old one. Whatever happens, the path leads
    /// to the old file or to the new one, each complete.
    ///
    /// ```swift
    /// let report = try Store.upgrade(path: "people.trove", keepingOriginal: true)
    /// print(report.from, report.to)  // LMDB 0.9 LMDB 1.0
    /// ```
    ///
    /// - Parameters:
    ///   - path: The store's file, or its directory.
    ///   - keepingOriginal: Whether the old file stays beside the new one: `NAME.lmdb-0.9` or `NAME.lmdb-1.0`.
    ///   - progress: Receives the number of pages done, and the total.
    /// - Returns: What was done.
    /// - Throws: ``StoreError`` if the file is no store, is damaged or in use, or if the disk has no room for the new
    ///   file.
    /// - Complexity: O(*n*) in the size of the file, which is read once; the new file is written and read once.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public static func upgrade(
        path: String, keepingOriginal: Bool = false,
        progress: @escaping (_ pages: Int, _ total: Int) -> Void = { _, _ in }
    ) throws -> UpgradeReport {
        try upgrade(path, keepingOriginal, unless: CancellationFlag(), progress)
    }

    static func upgrade(
        _ path: String, _ keepingOriginal: Bool, unless isCancelled: CancellationFlag,
        _ progress: @escaping (_ pages: Int, _ total: Int) -> Void
    ) throws -> UpgradeReport {
        let plan = try upgradePlan(path: path)
        var options = StoreOptions(gathersTexts: false)
        options.conversion = keepingOriginal ? .keepingOriginal : .automatic
        let environmentOptions = try options.environmentOptions()
        return try translatingErrors {
            let environment = try Environment(path: path, options: environmentOptions) { done, total in
                progress(Int(done), Int(total))
                return !isCancelled.isRaised
            }
            var report = UpgradeReport(
                path: environment.path, from: plan.format, to: Engine.format, library: Engine.library,
                sizeBefore: try environment.info.usedSize, sizeAfter: try environment.info.usedSize)
            if let done = environment.conversion {
                (report.tables, report.entries) = (done.tables, done.entries)
                (report.sizeBefore, report.sizeAfter) = (done.sizeBefore, done.sizeAfter)
                report.original = done.original
            }
            return report
        }
    }
}
