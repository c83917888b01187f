// The conversion of a file to the format of the loaded liblmdb.
//
//     lock of the lock file → room on the disk → new file with all entries → comparison → number of the last commit
//     → flush → [link of the old file to a second name] → rename over the old file → flush of the directory
//
// After a crash or a power cut at any moment, the path leads to the old file or to the new one, and each is complete.
// The new file has a temporary name until then, which the next opener removes.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Receives the progress of a conversion in pages of the old file, and returns whether to go on. Otherwise the old file
/// stays as it was.
package typealias ConversionProgress = (_ done: UInt64, _ total: UInt64) -> Bool

/// The conversion of a file.
struct FileConversion {
    private let place: EnvironmentPlace
    private let options: EnvironmentOptions
    private let progress: ConversionProgress

    init(_ place: EnvironmentPlace, _ options: EnvironmentOptions, _ progress: @escaping ConversionProgress) {
        self.place = place
        self.options = options
        self.progress = progress
    }

    /// Converts the file. Returns the lock under which it was converted, and the report; nil if another thread or
    /// process has converted it meanwhile.
    ///
    /// - Throws: `otherEngineInUse`, `foreignTables`, `corrupted`, `diskFull`, `cancelled`, or an error of the system.
    ///   The old file is then as it was.
    func run() throws(LMDBError) -> (lock: ConversionLock, report: ConversionReport)? {
        guard try hasOtherFormat(), let lock = try waitForLock(), try hasOtherFormat() else { return nil }
        try place.refuseHardLinks()
        return (lock, try convert())
    }

    private func hasOtherFormat() throws(LMDBError) -> Bool {
        do throws(LMDBError) {
            try FileHead.check(place.dataFile)
            return false
        } catch  where error.code == .otherFormat {
            return true
        }
    }

    /// Waits until no other process has the file open. Returns nil if the file has the right format meanwhile.
    ///
    /// - Throws: `otherEngineInUse` after the maximum time to wait.
    private func waitForLock() throws(LMDBError) -> ConversionLock? {
        let end = ContinuousClock.now + options.patience
        while true {
            if let lock = try ConversionLock(place, options) { return lock }
            guard try hasOtherFormat() else { return nil }
            guard ContinuousClock.now < end else {
                throw LMDBError(.otherEngineInUse, in: "convert", path: place.dataFile)
            }
            guard progress(0, 1) else { throw LMDBError(.cancelled, in: "convert", path: place.dataFile) }
            usleep(10_000)
        }
    }

    private func convert() throws(LMDBError) -> ConversionReport {
        let path = place.dataFile
        var walk = try FileWalk(path)
        let old = walk.report
        guard let format = old.format else { throw LMDBError(.corrupted, in: "convert", path: path) }
        try checkRoom(ConversionPlan.neededSpace(old, free: walk.countFreePages()))
        NewFile.removeRemainders(of: path)
        let file = try UnfinishedFile(beside: path, mode: 0o600)
        let digests = try append(&walk, to: file)
        try compare(file, with: digests, transaction: old.transaction)
        try FileCalls.copyAttributes(from: path, to: file.path)
        let size = try FileCalls.status(of: file.path)?.size ?? 0
        let original = options.conversion == .keepingOriginal ? try place.keepOriginal(format) : nil
        try file.replace()
        return ConversionReport(
            from: format, to: Engine.format, tables: digests.tables.count, entries: digests.entries,
            sizeBefore: old.fileSize, sizeAfter: size, original: original)
    }

    private func checkRoom(_ needed: Int) throws(LMDBError) {
        guard let available = FileCalls.availableBytes(beside: place.dataFile), available < needed else { return }
        throw LMDBError(.diskFull, in: "convert", path: place.dataFile, limit: needed)
    }

    /// Appends the entries of the last commit to the new file.
    private func append(_ walk: inout FileWalk, to file: borrowing UnfinishedFile) throws(LMDBError)
        -> EntryDigests
    {
        let report = walk.report
        let size = 2 * Int(report.pages) * report.pageSize + (64 << 20)
        let appender = try EntryAppender(
            file.path, for: place.dataFile, tables: Int(clamping: report.recordedTables), size: size, progress)
        try walk.visitLastCommit(appender)
        try appender.finish()
        let findings = walk.report.findings
        if let foreign = findings.first(where: {
            $0.kind == .foreign || report.format == .version3 && $0.kind == .keySize
        }) {
            var error = LMDBError(.foreignTables, in: "convert", path: place.dataFile, database: foreign.table)
            error.cause = foreign.detail
            throw error
        }
        if let damage = findings.first(where: \.isDamage) {
            var error = LMDBError(.corrupted, in: "convert", path: place.dataFile)
            error.cause = damage.description
            throw error
        }
        if let table = options.initialTable?.name, !appender.digests.tables.contains(where: { $0.name == table }) {
            throw LMDBError(.databaseNotFound, in: "convert", path: place.dataFile, database: table)
        }
        return appender.digests
    }

    /// Compares the new file with what was appended, and gives it the number of the old file's last commit.
    private func compare(
        _ file: borrowing UnfinishedFile, with digests: EntryDigests, transaction: UInt64
    ) throws(LMDBError) {
        var walk = try FileWalk(file.path)
        let visitor = DigestVisitor(path: place.dataFile)
        try walk.visitLastCommit(visitor)
        guard walk.report.isSound, visitor.digests == digests else {
            throw LMDBError(.corrupted, in: "convert", path: place.dataFile)
        }
        try MetaPage.raiseTransactions(in: file.path, above: transaction)
    }
}

extension EnvironmentPlace {
    /// Links the old file to a second name that says its format, and returns the name.
    fileprivate func keepOriginal(_ format: FileFormat) throws(LMDBError) -> String {
        let first = Self.originalName(of: dataFile, format)
        for number in 1..<1000 {
            let name = number == 1 ? first : "\(first)-\(number)"
            try FileCalls.linkUnlessTaken(dataFile, as: name)
            if try FileCalls.status(of: name)?.identity == identity { return name }
        }
        throw LMDBError(.fileExists, in: "link", path: first)
    }

    /// Returns the name under which a conversion keeps an old file.
    static func originalName(of dataFile: String, _ format: FileFormat) -> String {
        "\(dataFile).\(format == .version1 ? "lmdb-0.9" : "lmdb-1.0")"
    }
}
