// A type of the store as a virtual table of a connection.

import CSQLite
import LMDB
import Trove
import TroveCoding

/// A type of the store as a virtual table: its columns, its access paths, and its cursors at rest.
@safe final class SQLTable {
    /// A property as a column.
    struct Column {
        let name: String
        /// The stored name of the property.
        let property: String
        let type: LayoutType
        let step: ValueStep
        let isKey: Bool

        var comparison: ComparisonClass { step.kind.comparison }

        /// Whether no row has NULL.
        var isNeverNull: Bool {
            guard !step.isOptional else { return false }
            switch step.kind {
            case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .int128, .uint128, .bool, .string,
                .data, .uuid, .date, .url:
                return true
            case .float, .double, .decimal, .complex, .opaque, .unreadable: return false
            }
        }
    }

    let stored: StoredTable
    /// What the rows are.
    let kind: TableKind
    /// The layout of the rows: of the records, unless the table has their parts.
    let layout: RecordLayout
    /// The shortest name.
    let name: String
    unowned let connection: Connection
    let columns: [Column]
    /// The names of the hidden columns, without the column that has the table's name.
    let hiddenNames: [String]
    let paths: [TablePath]
    let fieldSteps: StepList
    let keySteps: StepList
    var plans: [ScanPlan] = []
    private var planNumbers: [ScanPlan: Int] = [:]
    private let walk: FieldWalk
    /// The type for statements that write; an error if the program cannot write it.
    private(set) lazy var writtenType = Result { () throws(SQLError) in try WrittenType(of: self) }
    private var conversions: [UInt32: [RecordConversion?]] = [:]
    private var idleCursors: [UnsafeMutablePointer<RowCursor>] = unsafe []
    private static let idleLimit = 8

    /// Creates the table of a type's records.
    convenience init(_ stored: StoredTable, name: String, of connection: Connection) {
        self.init(stored, .records, stored.newest, name: name, of: connection)
    }

    init(_ stored: StoredTable, _ kind: TableKind, _ layout: RecordLayout, name: String, of connection: Connection) {
        self.stored = stored
        self.kind = kind
        self.layout = layout
        self.name = name
        self.connection = connection
        let keySteps = layout.key.map { ValueStep(component: $0.type) }
        var fieldSteps = layout.fields.map { ValueStep(field: $0.type) }
        if let unknown = fieldSteps.firstIndex(where: { $0.kind == .unreadable }) {
            for index in unknown..<fieldSteps.count { fieldSteps[index] = ValueStep(kind: .unreadable) }
        }
        var names: Set<String> = []
        var columns: [Column] = []
        for (index, field) in (layout.key + layout.fields).enumerated() {
            let isKey = index < layout.key.count
            columns.append(
                Column(
                    name: names.insertUnused(field.name), property: field.name, type: field.type,
                    step: isKey ? keySteps[index] : fieldSteps[index - layout.key.count], isKey: isKey))
        }
        // Without full text, names such as `rank` would make those of other tables ambiguous in a join.
        let isSearched = kind.isOfRecords && !stored.fullTexts.isEmpty
        let hidden = (kind.isOfRecords ? ["_key", "_match", "_rank"] : ["_key"])
        hiddenNames =
            hidden.map { names.insertUnused($0, prefix: "_") }
            + (isSearched && names.insert("rank").inserted ? ["rank"] : [])
        self.columns = columns
        self.keySteps = StepList(keySteps)
        self.fieldSteps = StepList(fieldSteps)
        walk = FieldWalk(layout.fields)
        paths =
            switch kind {
            case .records: TablePath.all(of: stored, columns)
            case .elements(let list): TablePath.all(of: stored, list, columns)
            case .links(let links): TablePath.all(of: links, columns)
            case .list: [TablePath("", nil, nil, [], columnCount: columns.count)]
            }
    }

    deinit {
        unsafe idleCursors.forEach { cursor in unsafe cursor.pointee.free(cursor) }
    }

    /// The name of the type in errors of the store.
    var typeName: String { stored.type?.schema.name ?? stored.name }

    /// The number of the column of keys, the first of the hidden columns.
    var keyColumn: Int { columns.count }

    /// The name of the column of keys.
    var keyName: String { hiddenNames[0] }

    /// A hidden column.
    enum HiddenColumn {
        case key, match, rank
    }

    /// Returns the hidden column with a number; nil for a property.
    func hidden(_ column: Int) -> HiddenColumn? {
        switch column - keyColumn {
        case ..<0: nil
        case 0: .key
        case _ where !kind.isOfRecords: nil
        case 2: .rank
        case 3 where hiddenNames.count == 4: .rank
        default: .match
        }
    }

    /// The statement that declares the table.
    ///
    /// - Parameter tableName: The name that a statement uses. If the type has full text, a hidden column has the same
    ///   name, and another has its ending, unless other columns have them.
    func declaration(named tableName: String?) -> String {
        let parts = columns.map { column in
            let isNeverNull = column.isNeverNull && stored.versions.count <= 1
            return "\(column.name.quotedForSQL) \(column.step.kind.declaredType)\(isNeverNull ? " NOT NULL" : "")"
        }
        var hidden = hiddenNames.enumerated().map { ordinal, name in
            let type = ordinal == 0 ? "BLOB HIDDEN NOT NULL PRIMARY KEY" : ordinal == 1 ? "HIDDEN" : "REAL HIDDEN"
            return "\(name.quotedForSQL) \(type)"
        }
        if kind.isOfRecords, !stored.fullTexts.isEmpty, let tableName {
            var names = Set((columns.map(\.name) + hiddenNames).map(\.asciiLowercased))
            let ending = tableName.split(separator: ".").last.map(String.init) ?? tableName
            for name in [tableName, ending] where names.insert(name.asciiLowercased).inserted {
                hidden.append("\(name.quotedForSQL) HIDDEN")
            }
        }
        return "CREATE TABLE x(\((parts + hidden).joined(separator: ", "))) WITHOUT ROWID"
    }

    /// Returns the number of a plan for SQLite.
    func number(of plan: ScanPlan) -> Int {
        if let known = planNumbers[plan] { return known }
        plans.append(plan)
        planNumbers[plan] = plans.count - 1
        return plans.count - 1
    }

    // MARK: Values

    /// Returns the offset after a field.
    func end(of field: Int, from start: Int, in bytes: ByteView) throws(CodingError) -> Int {
        try bytes.withSpan { (bytes) throws(CodingError) in try end(of: field, from: start, in: bytes) }
    }

    /// Returns the offset after a field.
    func end(of field: Int, from start: Int, in bytes: RawSpan) throws(CodingError) -> Int {
        try walk.end(of: field, from: start, in: bytes)
    }

    /// Returns a field with parts as text.
    func text(of field: Int, from start: Int, in bytes: ByteView) throws(CodingError) -> ComplexText {
        let type = layout.fields[field].type
        return ComplexText(
            try bytes.withSpan { (bytes) throws(CodingError) in try FieldValue.read(type, from: start, in: bytes) },
            as: type)
    }

    /// Returns the bytes of a field, converted from a record of an older layout; nil if there is no conversion.
    func converted(_ field: Int, _ row: Row) throws(CodingError) -> [UInt8]? {
        guard let version = stored.version(of: row.value), let old = stored.layouts[version] else {
            throw CodingError(.malformed(expected: "the version of a stored layout"))
        }
        if conversions[version] == nil {
            let fields = (stored.declared ?? stored.newest).fields
            conversions[version] = fields.map { Self.conversion(from: old, to: $0) }
        }
        guard let conversion = conversions[version]?[field] else { return nil }
        var bytes: [UInt8] = []
        do {
            try row.key.withSpan { key in
                try row.value.dropFirst(StoredTable.headerSize).withSpan { fields in
                    try conversion.convertFields(key: key, fields: fields, into: &bytes)
                }
            }
            return bytes
        } catch let error as CodingError {
            throw error
        } catch {
            throw CodingError(.malformed(expected: "a value that can be converted (\(error))"))
        }
    }

    private static func conversion(from old: RecordLayout, to field: LayoutField) -> RecordConversion? {
        do throws(ConversionError) {
            return try RecordConversion(
                from: old, to: RecordLayout(key: old.key, fields: [field]), keepingKeys: true)
        } catch {
            return nil
        }
    }

    // MARK: Cursors

    /// Returns a cursor at rest, or a new one.
    @unsafe func takeCursor() -> UnsafeMutablePointer<RowCursor> {
        if let cursor = unsafe idleCursors.popLast() { return unsafe cursor }
        let components = paths.map { $0.components.count }.max() ?? 0
        let cursor = UnsafeMutablePointer<RowCursor>.allocate(capacity: 1)
        let scan = TableScan(self)
        unsafe cursor.initialize(
            to: RowCursor(
                scan: .passRetained(scan), rows: scan.rows,
                fields: fieldSteps.pointer, fieldCount: fieldSteps.count, key: keySteps.pointer,
                keyCount: keySteps.count, entry: keySteps.pointer, ordinals: paths[0].ordinals,
                fieldOffsets: .allocate(capacity: fieldSteps.count + 1),
                keyOffsets: .allocate(capacity: keySteps.count + 1),
                entryOffsets: .allocate(capacity: components + 1),
                scratch: .allocate(byteCount: 64, alignment: 8), scratchSize: 64))
        return unsafe cursor
    }

    /// Ends the scan of a cursor, and keeps the cursor for the next.
    @unsafe func giveBack(_ cursor: UnsafeMutablePointer<RowCursor>) {
        unsafe cursor.pointee.scan.takeUnretainedValue().end()
        if unsafe idleCursors.count < Self.idleLimit {
            unsafe idleCursors.append(cursor)
        } else {
            unsafe cursor.pointee.free(cursor)
        }
    }
}

extension RowCursor {
    /// Frees a cursor with its memory.
    @unsafe fileprivate func free(_ cursor: UnsafeMutablePointer<RowCursor>) {
        unsafe fieldOffsets.deallocate()
        unsafe keyOffsets.deallocate()
        unsafe entryOffsets.deallocate()
        unsafe scratch.deallocate()
        unsafe scan.release()
        unsafe cursor.deinitialize(count: 1)
        unsafe cursor.deallocate()
    }
}

/// Steps in memory of C.
@safe final class StepList {
    let pointer: UnsafeMutablePointer<ValueStep>
    let count: Int

    init(_ steps: [ValueStep]) {
        count = steps.count
        unsafe pointer = .allocate(capacity: max(1, steps.count))
        for (index, step) in steps.enumerated() { unsafe (pointer + index).initialize(to: step) }
    }

    deinit { unsafe pointer.deallocate() }
}

extension Set<String> {
    /// Adds a name that differs from the others in more than the case of ASCII letters, and returns it.
    mutating func insertUnused(_ name: String) -> String {
        var (unused, number) = (name, 2)
        while !insert(unused.asciiLowercased).inserted {
            unused = "\(name)_\(number)"
            number += 1
        }
        return unused
    }
}

extension Set<String> {
    /// Adds a name that differs from the others in more than the case of ASCII letters, and returns it.
    ///
    /// - Parameter prefix: The beginning of a name that is in use, repeated as often as needed.
    fileprivate mutating func insertUnused(_ name: String, prefix: String) -> String {
        var unused = name
        while !insert(unused.asciiLowercased).inserted { unused = prefix + unused }
        return unused
    }
}

extension String {
    /// The text with small letters for the capital letters of ASCII, as SQLite compares names.
    var asciiLowercased: String {
        String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }
}
