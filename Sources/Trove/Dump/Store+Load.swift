// Loads text into a store: the lines of a dump, or the rows of a CSV.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Store {
    /// The form of a text to load.
    public enum LoadFormat: Sendable {
        /// One JSON value per line, as ``ReadContext/forEachDumpLine(of:in:limit:_:)`` writes it.
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
    /// the text names. Raw values and the JSON of `Codable` types are not checked: only the program can.
    ///
    /// The indexes and unique constraints of each changed type are emptied, as by `markForRebuild(_:of:)`. The
    /// program builds them when it next opens the store with the type declared. Then it also reports duplicate values.
    /// The lists of a relation are built at once from its links. If an entity would have two links in a relation to
    /// one, nothing is loaded.
    ///
    /// - Parameters:
    ///   - format: The form of the text.
    ///   - rule: The treatment of records whose keys are stored already.
    ///   - type: The type of records that follow no description, with or without its module. Without its module, the
    ///     name must be the name of a single type. A CSV needs it.
    ///   - schema: Types that the store may not have yet; see ``DumpedType/types(inSchema:path:)``.
    ///   - nextLine: Returns the next line without its line feed; nil at the end.
    /// - Returns: The numbers of records, and the emptied indexes.
    /// - Throws: ``LoadError`` with the line, ``StoreError``, or the closure's error.
    /// - Complexity: O(*n* log *n*) in the number of records.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func load(
        _ format: LoadFormat = .json, onConflict rule: ConflictRule = .throw, type: String? = nil,
        schema: [DumpedType] = [], nextLine: @escaping () throws -> String?
    ) throws -> LoadReport {
        try write { context in
            try translatingErrors {
                var loader = RecordLoader(context, onConflict: rule)
                if let type { try loader.begin(named: type, schema) }
                switch format {
                case .json: try Self.loadLines(nextLine, &loader)
                case .csv: try Self.loadRows(nextLine, &loader)
                }
                try loader.finish()
                return loader.report
            }
        }
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
    /// - Returns: The numbers of records.
    /// - Throws: ``LoadError`` with the line, ``StoreError``, or the closure's error.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public static func create(
        at path: String, loading format: LoadFormat = .json, onConflict rule: ConflictRule = .throw,
        type: String? = nil, schema: [DumpedType] = [], nextLine: @escaping () throws -> String?
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
                report = try store.load(format, onConflict: rule, type: type, schema: schema, nextLine: nextLine)
                try store.environment.synchronize()
            }
            try file.publish()
            return report
        }
    }

    private static func loadLines(_ nextLine: () throws -> String?, _ loader: inout RecordLoader) throws {
        var number = 0
        while let text = try nextLine() {
            number += 1
            switch try DumpLine(text, number: number) {
            case nil: break
            case .format(let format):
                guard format <= DumpLine.format else { throw LoadError(line: number, .formatTooNew(format)) }
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
    }

    private static func loadRows(_ nextLine: @escaping () throws -> String?, _ loader: inout RecordLoader) throws {
        var reader = CSVReader(nextLine)
        guard let header = try reader.next() else { return }
        let layout = try loader.layout(line: reader.line)
        let type = loader.typeName ?? ""
        let properties: [LayoutField]
        do throws(CSVError) {
            properties = try layout.csvColumns(of: type)
        } catch {
            throw LoadError(line: reader.line, type: type, .noCSV(error))
        }
        let columns = header.map(\.text)
        for (index, column) in columns.enumerated() {
            guard properties.contains(where: { $0.name == column }), !columns[..<index].contains(column) else {
                let names = properties.map(\.name).joined(separator: ", ")
                throw LoadError(line: reader.line, type: type, .value(field: column, expected: "each once: \(names)"))
            }
        }
        if let missing = layout.missingColumn(in: columns) {
            throw LoadError(line: reader.line, type: type, .value(field: missing.name, expected: "a column"))
        }
        // A single property that is nil is an empty line.
        let skipsEmptyLines = columns.count > 1 || !properties.contains { $0.name == columns[0] && $0.type.hasNull }
        while true {
            let line = reader.line + 1
            guard let row = try reader.next(skipsEmptyLines: skipsEmptyLines) else { return }
            let fields = try layout.read(row, columns: columns, type: type, line: line)
            try loader.store(fields, layout, line: line)
        }
    }
}
