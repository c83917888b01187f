// Loads text into a store: the lines of a dump, or the rows of a CSV.

import LMDB
import TroveCoding
import TroveText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Store {
    /// The form of a text to load.
    public enum LoadFormat: Sendable {
        /// One JSON value per line, as ``ReadContext/forEachDumpLine(of:in:limit:where:onDamage:_:)`` writes it.
        case json
        /// Comma-separated values (RFC 4180) with the names of the properties in the first row.
        case csv
    }

    /// Loads the records of a text, in a single transaction: all of them, or none.
    ///
    /// ```swift
    /// var lines = dump.split(separator: "\n").makeIterator()
    /// let report = try store.load { lines.next().map(String.init) }
    /// ```
    ///
    /// The Swift types are not needed. A record gets the bytes that the program would have written, in the layout that
    /// the text names. The values are of the layout's types. If the store was opened with the type, the type decodes
    /// each new record, which also checks raw values and the JSON of `Codable` types. Hooks do not run, collision rules
    /// neither, and no times of saves are stored.
    ///
    /// Up to 10,000 records of a type, or a quarter of the stored ones if these are more, the load maintains the
    /// indexes of the type. With more records it empties them, except for unique constraints, and builds them after
    /// the commit. So a duplicate of a unique value is an error.
    ///
    /// If the store was opened without the type, the load does the same by the definitions in the catalog. It empties
    /// the indexes that only the program can maintain, as `markForRebuild(_:of:)` does: indexes with a condition, with
    /// gathered text or with an analyzer of the program; after records of older layouts, all. It does not build
    /// indexes. The program builds them when it next opens the store; a program with an open store does without them
    /// until it calls `rebuild(progress:)`.
    ///
    /// The lists of a relation are built from its links at the end. If an entity would have two links in a relation to
    /// one, nothing is loaded.
    ///
    /// A dump that was cut, or an empty text, is an error. A dump of an earlier version of Trove does not have the
    /// number of its records: ``LoadReport/mayBeIncomplete`` is then true.
    ///
    /// - Parameters:
    ///   - format: The form of the text.
    ///   - rule: The treatment of records whose keys are stored already.
    ///   - type: The type of records that follow no description, with or without its module. Without its module, the
    ///     name must be the name of a single type. A CSV needs it.
    ///   - schema: Types that the store may not have yet, and with which it was not opened; see
    ///     ``DumpedType/types(inSchema:path:)``.
    ///   - keepsIndexes: Whether the load maintains all indexes, however many records there are. An index that only its
    ///     program can maintain is then an error.
    ///   - analyzers: Analyzers of full-text indexes beside the built-in ones, for types that the program does not
    ///     declare.
    ///   - nextLine: Returns the next line without its line feed; nil at the end.
    ///   - progress: Receives the progress after every 1,000 lines, and at the end, on this thread.
    /// - Returns: The numbers of records, and the emptied indexes.
    /// - Throws: ``LoadError`` with the line, ``StoreError``, or the closure's error.
    /// - Complexity: O(*n* log *n*) in the number of records.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func load(
        _ format: LoadFormat = .json, onConflict rule: ConflictRule = .throw, type: String? = nil,
        schema: [DumpedType] = [], keepsIndexes: Bool = false, analyzers: [TextAnalyzer] = [],
        nextLine: @escaping () throws -> String?, progress: ((LoadProgress) -> Void)? = nil
    ) throws -> LoadReport {
        let options = LoadOptions(
            rule: rule, type: type, schema: schema, keepsIndexes: keepsIndexes, analyzers: analyzers)
        return try load(format, options, unless: CancellationFlag(), nextLine, progress)
    }

    /// Loads the lines of a sequence, as `load(_:onConflict:type:schema:keepsIndexes:analyzers:nextLine:progress:)`
    /// does. The lines have no line feeds.
    ///
    /// ```swift
    /// let text = try String(contentsOfFile: path, encoding: .utf8)
    /// try store.load(.csv, from: text.split(separator: "\n"), type: "Product")
    /// ```
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func load(
        _ format: LoadFormat = .json, from lines: some Sequence<some StringProtocol>,
        onConflict rule: ConflictRule = .throw, type: String? = nil, schema: [DumpedType] = [],
        keepsIndexes: Bool = false, analyzers: [TextAnalyzer] = [], progress: ((LoadProgress) -> Void)? = nil
    ) throws -> LoadReport {
        var lines = lines.makeIterator()
        return try load(
            format, onConflict: rule, type: type, schema: schema, keepsIndexes: keepsIndexes, analyzers: analyzers,
            nextLine: { lines.next().map { String($0) } }, progress: progress)
    }

    /// Creates a store with the records of a text.
    ///
    /// The new file appears when it is complete, or not at all.
    ///
    /// - Parameters:
    ///   - path: The new store's file, which must not exist yet.
    ///   - format: The form of the text.
    ///   - rule: The treatment of records whose keys appeared already.
    ///   - type: The type of records that follow no description, with or without its module. A CSV needs it.
    ///   - schema: Types that the text does not describe; see ``DumpedType/types(inSchema:path:)``.
    ///   - nextLine: Returns the next line without its line feed; nil at the end.
    ///   - progress: Receives the progress after every 1,000 lines, and at the end, on this thread.
    /// - Returns: The numbers of records.
    /// - Throws: ``LoadError`` with the line, ``StoreError``, or the closure's error.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public static func create(
        at path: String, loading format: LoadFormat = .json, onConflict rule: ConflictRule = .throw,
        type: String? = nil, schema: [DumpedType] = [], nextLine: @escaping () throws -> String?,
        progress: ((LoadProgress) -> Void)? = nil
    ) throws -> LoadReport {
        try translatingErrors {
            let file = try UnfinishedFile(for: path)
            let options = StoreOptions(durability: .noSync)
            // No other process knows the file.
            var environmentOptions = try options.environmentOptions()
            environmentOptions.isLockless = true
            try file.createEnvironment(environmentOptions)
            let report: LoadReport
            do {
                let store = try Store(path: file.path, options: options, environmentOptions)
                report = try store.load(
                    format, onConflict: rule, type: type, schema: schema, nextLine: nextLine, progress: progress)
                try store.environment.synchronize()
            }
            try file.publish()
            return report
        }
    }

    /// - Parameter isCancelled: Checked before each line, and during builds. A cancelled build leaves its indexes for
    ///   the next opening.
    func load(
        _ format: LoadFormat, _ options: LoadOptions, unless isCancelled: CancellationFlag,
        _ nextLine: @escaping () throws -> String?, _ progress: ((LoadProgress) -> Void)?
    ) throws -> LoadReport {
        var (report, typesToBuild) = try write { context in
            try translatingErrors {
                var loading = Loading(RecordLoader(context, options, declared: declaredTypes), progress)
                try loading.run(format, options) {
                    try isCancelled.check()
                    return try nextLine()
                }
                return (loading.report, loading.loader.typesToBuild)
            }
        }
        for type in typesToBuild {
            guard let place = report.types.firstIndex(where: { $0.name == type.schema.qualifiedName }) else { continue }
            do {
                let errors = try Self.buildIndexes(of: type, in: try isCancelled.passing(self), .large) { _ in }
                warn(of: errors)
                // An index whose closure has failed stays unfinished.
                let failed = errors.compactMap { error -> String? in
                    if case .text(.gatheringFailed(_, let index, _)) = error { index } else { nil }
                }
                let emptied = report.types[place].indexesToRebuild
                report.types[place].rebuiltIndexes = emptied.filter { !failed.contains($0) }
                report.types[place].indexesToRebuild = emptied.filter { failed.contains($0) }
            } catch let error as StoreError {
                // The records are stored. The next opening of the store builds the indexes.
                warn(of: [error])
            } catch is CancellationError {
                break
            }
        }
        return report
    }
}

/// The reading of a text.
private struct Loading {
    private(set) var loader: RecordLoader
    private let progress: ((LoadProgress) -> Void)?
    private var count = DumpCount()
    /// The line of the last report.
    private var reported = 0

    init(_ loader: RecordLoader, _ progress: ((LoadProgress) -> Void)?) {
        self.loader = loader
        self.progress = progress
    }

    /// The records and indexes of each type.
    var report: LoadReport {
        var report = loader.report
        report.mayBeIncomplete = count.hasFormWithoutEnd
        return report
    }

    /// - Throws: ``LoadError``, or the closure's error.
    mutating func run(
        _ format: Store.LoadFormat, _ options: LoadOptions, _ nextLine: @escaping () throws -> String?
    ) throws {
        if let type = options.type { try loader.begin(named: type, options.schema) }
        switch format {
        case .json: try loadLines(nextLine)
        case .csv: try loadRows(nextLine)
        }
        try loader.finish()
    }

    /// Reports the progress after each step, also if a row of several lines ends beyond it, and at the end.
    private mutating func report(_ line: Int, isLast: Bool = false) {
        guard let progress else { return }
        let step = LoadProgress.step
        guard isLast ? line != reported : line / step > reported / step else { return }
        reported = line
        progress(LoadProgress(lines: line, records: loader.records))
    }

    private mutating func loadLines(_ nextLine: () throws -> String?) throws {
        var number = 0
        while let text = try nextLine() {
            number += 1
            if let line = try DumpLine(text, number: number) {
                try count.add(line, number: number)
                try load(line, number)
            }
            report(number)
        }
        try count.finish(line: number)
        report(number, isLast: true)
    }

    private mutating func load(_ line: DumpLine, _ number: Int) throws {
        switch line {
        case .format, .end: break
        case .type(let type): try loader.begin(type, line: number)
        case .version(let version): loader.begin(version: version)
        case .record(let json):
            let layout = try loader.layout(line: number)
            let fields: StoredFields
            do throws(JSONError) {
                fields = try layout.read(json: json)
            } catch {
                throw LoadError(line: number, type: loader.typeName, .json(error))
            }
            try loader.store(fields, layout, line: number)
        }
    }

    private mutating func loadRows(_ nextLine: @escaping () throws -> String?) throws {
        var reader = CSVReader(nextLine)
        guard let header = try reader.next() else { throw LoadError(line: 0, .emptyText) }
        let layout = try loader.layout(line: reader.line)
        let type = loader.typeName ?? ""
        let columns = header.map(\.text)
        let properties: [LayoutField]
        do throws(CSVError) {
            properties = try layout.csvColumns(of: type)
        } catch {
            throw LoadError(line: reader.line, type: type, .noCSV(error))
        }
        try layout.check(columns, properties.map(\.name), type: type, line: reader.line)
        // A single property that is nil is an empty line.
        let skipsEmptyLines = columns.count > 1 || !properties.contains { $0.name == columns[0] && $0.type.hasNull }
        let places = layout.places(in: columns)
        while true {
            let line = reader.line + 1
            guard let row = try reader.next(skipsEmptyLines: skipsEmptyLines) else { break }
            let fields = try layout.read(row, places, count: columns.count, type: type, line: line)
            try loader.store(fields, layout, line: line)
            report(reader.line)
        }
        report(reader.line, isLast: true)
    }
}

extension RecordLayout {
    /// - Throws: ``LoadError`` unless each column is a property, and each property that cannot be nil has a column.
    fileprivate func check(
        _ columns: [String], _ names: [String], type: String, line: Int
    ) throws(LoadError) {
        for (index, column) in columns.enumerated() {
            guard names.contains(column) else {
                throw LoadError(line: line, type: type, .unknownColumn(column, columns: names))
            }
            if columns[..<index].contains(column) {
                throw LoadError(line: line, type: type, .repeatedColumn(column))
            }
        }
        if let missing = missingColumn(in: columns) {
            throw LoadError(line: line, type: type, .missingColumn(missing.name, columns: names))
        }
    }
}
