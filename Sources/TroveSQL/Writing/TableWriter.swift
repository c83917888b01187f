// A row of a statement as the change of a record, by the code of its type: unique values, indexes, delete rules and
// hooks are those of any other change. The command changes records by their layout alone.
//
// The bytes of the new record are put together by the layout, and decoded by the type. An unchanged field keeps its
// bytes.

import CSQLite
import LMDB
import Trove
import TroveCoding

/// The writes of a table, by the rule of a statement for conflicts.
struct TableWriter {
    let table: SQLTable
    let rule: RowConflictRule
    private let storage: any RecordStorage
    private let layout: RecordLayout
    private let context: TransactionContext
    /// The maximum number of records that give way to a row.
    private static let replacementLimit = 32
    /// The room for changed fields, in bytes.
    private static let growth = 64

    /// - Throws: ``SQLError`` if the program cannot write the records.
    init(_ table: SQLTable, _ rule: RowConflictRule) throws {
        guard let context = table.connection.run?.context as? TransactionContext else {
            throw SQLError.outsideOfContext
        }
        storage = try table.connection.storage(of: table, in: context)
        layout = storage.layout
        self.table = table
        self.rule = rule
        self.context = context
    }

    /// Carries out the change of a row. Returns false if a rule of the type has left the record as it was.
    func write(_ row: RowValues) throws -> Bool {
        guard let old = row.oldKey else { return try insert(row) }
        return try row.isDelete ? storage.remove(key: old, in: context) : update(row, old)
    }

    private func insert(_ row: RowValues) throws -> Bool {
        let key = try key(row, old: nil)
        try checkKeyColumn(row, key)
        for column in table.keyColumn + 1..<max(table.keyColumn + 1, row.columnCount)
        where row.value(of: column, asText: false) != .null {
            throw SQLError(
                code: SQLITE_CONSTRAINT,
                message: "A column of \(table.name) for searches cannot be written: name the columns to insert.")
        }
        return try save(key, try fields(row, old: nil), replaces: rule == .replace, in: context)
    }

    private func update(_ row: RowValues, _ oldKey: [UInt8]) throws -> Bool {
        // An earlier row of the statement, or a hook, can have deleted the record.
        guard let oldFields = try storage.fields(ofRecordWithKey: oldKey, in: context) else { return false }
        let key = try key(row, old: oldKey)
        try checkKeyColumn(row, key)
        let fields = try fields(row, old: oldFields)
        if key == oldKey { return try save(key, fields, replaces: true, in: context) }
        guard try !storage.canHaveLinks(in: context) else {
            throw SQLError(
                code: SQLITE_CONSTRAINT,
                message: """
                    The key of a record of \(table.name) cannot be changed: relations know the record by it. Insert a new \
                    record, and delete the old one.
                    """)
        }
        do {
            // A conflict leaves the old record as it is.
            return try context.nested { context in
                _ = try storage.remove(key: oldKey, in: context)
                guard try save(key, fields, replaces: rule == .replace, in: context) else { throw UnsavedRow() }
                return true
            }
        } catch is UnsavedRow {
            return false
        }
    }

    /// The end of a change of a key whose new record a rule of the type has left unsaved.
    private struct UnsavedRow: Error {}

    /// Stores a record. If the statement replaces records, those with its unique values are deleted.
    private func save(
        _ key: [UInt8], _ fields: [UInt8], replaces: Bool, in context: TransactionContext
    ) throws -> Bool {
        var replaced = 0
        while true {
            do {
                return try storage.save(key: key, fields: fields, replaces: replaces, in: context)
            } catch StoreError.record(.notUnique(let name, let index, let key, let existing)) {
                replaced += 1
                // A hook can meet such an error in another type.
                guard rule == .replace, name == table.typeName, replaced <= Self.replacementLimit,
                    try storage.remove(key: existing.bytes, in: context)
                else {
                    throw StoreError.record(.notUnique(type: name, index: index, key: key, existing: existing))
                }
            }
        }
    }

    // MARK: Keys

    /// Returns the key of the new record.
    private func key(_ row: RowValues, old: [UInt8]?) throws -> [UInt8] {
        let columns = layout.key.indices
        if let old, columns.allSatisfy({ row.isUnchanged($0) }) { return old }
        let stored = try old.map { try components(of: $0) }
        let values = try columns.map { column in
            try value(row, column, layout.key[column].type, old: stored?[column])
        }
        do throws(CodingError) {
            return try layout.writeKey(
                StoredFields(zip(layout.key, values).map { StoredFields.Field($0.name, $1) }))
        } catch {
            throw StoreError(writing: table.stored.name, error)
        }
    }

    private func components(of key: [UInt8]) throws -> [FieldValue] {
        var offset = 0
        return try layout.key.map { component in
            do throws(CodingError) {
                let (value, end) = try key.withRawSpan { (key) throws(CodingError) in
                    try FieldValue.readKey(component.type, from: offset, in: key)
                }
                offset = end
                return value
            } catch {
                throw StoreError(reading: StoredKey(key, of: table.stored.name), error)
            }
        }
    }

    /// Throws if the hidden column of the key has another value than the new record's key.
    private func checkKeyColumn(_ row: RowValues, _ key: [UInt8]) throws {
        let column = table.keyColumn
        if row.isUnchanged(column) { return }
        switch row.value(of: column, asText: false) {
        case .null: return
        case .blob(let bytes) where bytes == key || bytes == row.oldKey: return
        default:
            throw SQLError(
                code: SQLITE_CONSTRAINT,
                message: "\(table.keyName) follows from the key of the record: leave the column out.")
        }
    }

    // MARK: Fields

    /// Returns the bytes of the fields of the new record.
    private func fields(_ row: RowValues, old: [UInt8]?) throws -> [UInt8] {
        guard let old else {
            var bytes: [UInt8] = []
            for index in layout.fields.indices { try append(row, index, old: nil, to: &bytes) }
            return bytes
        }
        return try fields(row, changing: old)
    }

    /// Returns the bytes of the fields of a changed record. Runs of unchanged fields are copied.
    private func fields(_ row: RowValues, changing old: [UInt8]) throws -> [UInt8] {
        let first = layout.key.count
        guard let last = layout.fields.indices.last(where: { !row.isUnchanged(first + $0) }) else { return old }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(old.count + Self.growth)
        var (offset, copied) = (0, 0)
        for index in 0...last {
            let start = offset
            // The fields after one that only its type can read cannot be separated.
            if table.columns[first + index].step.kind == .unreadable {
                guard (first + index..<table.columns.count).allSatisfy({ isUnchanged(row, $0) }) else {
                    throw refused(.unknownLayout, nil, first + index)
                }
                break
            }
            offset = try end(of: index, from: start, in: old, of: row)
            if row.isUnchanged(first + index) { continue }
            bytes += old[copied..<start]
            try append(row, index, old: oldNumber(index, from: start, in: old, of: row), to: &bytes)
            copied = offset
        }
        return bytes + old[copied...]
    }

    /// Appends the bytes of a field.
    ///
    /// - Parameter old: The stored value of a number that can be NaN.
    private func append(_ row: RowValues, _ index: Int, old: FieldValue?, to bytes: inout [UInt8]) throws {
        let field = layout.fields[index]
        let value = try value(row, layout.key.count + index, field.type, old: old)
        do throws(CodingError) {
            try value.write(as: field.type, into: &bytes)
        } catch {
            throw StoreError(writing: table.stored.name, error)
        }
    }

    /// Returns whether an update leaves a column as it is. A column that cannot be read shows NULL.
    private func isUnchanged(_ row: RowValues, _ column: Int) -> Bool {
        row.isUnchanged(column) || row.value(of: column, asText: false) == .null
    }

    private func end(of field: Int, from start: Int, in bytes: [UInt8], of row: RowValues) throws -> Int {
        do throws(CodingError) {
            return try bytes.withRawSpan { (bytes) throws(CodingError) in
                try table.end(of: field, from: start, in: bytes)
            }
        } catch {
            throw damaged(row, error)
        }
    }

    /// Returns the stored value of a floating-point or decimal number, which can be NaN; nil for other fields.
    private func oldNumber(
        _ field: Int, from start: Int, in bytes: [UInt8], of row: RowValues
    ) throws -> FieldValue? {
        guard [.float, .double, .decimal].contains(table.columns[layout.key.count + field].step.kind) else {
            return nil
        }
        do throws(CodingError) {
            return try bytes.withRawSpan { (bytes) throws(CodingError) in
                try FieldValue.read(layout.fields[field].type, from: start, in: bytes)
            }
        } catch {
            throw damaged(row, error)
        }
    }

    /// Returns the error for the stored record of a row whose bytes are not of its layout.
    private func damaged(_ row: RowValues, _ reason: CodingError) -> StoreError {
        ByteView.with(row.oldKey ?? []) { table.stored.corrupted($0, reason) }
    }

    // MARK: Values

    /// Returns the stored value of a column.
    private func value(_ row: RowValues, _ column: Int, _ type: LayoutType, old: FieldValue?) throws -> FieldValue {
        if let old, row.isUnchanged(column) { return old }
        let kind = table.columns[column].step.kind
        guard let value = row.value(of: column, asText: [.string, .url].contains(kind)) else {
            throw refused(.mismatch(expected: "text in UTF-8"), nil, column)
        }
        // The column shows NULL for NaN.
        if value == .null, let old, old.isNaN { return old }
        do throws(RefusedValue) {
            return try FieldValue(value, as: type)
        } catch {
            throw refused(error, value, column)
        }
    }

    private func refused(_ reason: RefusedValue, _ value: SQLValue?, _ column: Int) -> any Error {
        let name = "\(table.name).\(table.columns[column].name)"
        switch reason {
        case .null:
            return NullConflict(
                error: SQLError(
                    code: TROVE_CONSTRAINT_NOTNULL,
                    message: """
                        \(name) cannot be NULL: the property is not optional. Initial values in Swift are not those of SQL.
                        """))
        case .mismatch(let expected):
            let found = value.map { " \($0.excerpt)" } ?? " this value"
            return SQLError(
                code: TROVE_CONSTRAINT_DATATYPE, message: "\(name) cannot have\(found): expected \(expected).")
        case .unknownLayout:
            return SQLError(
                code: TROVE_CONSTRAINT_DATATYPE,
                message: "\(name) cannot be written by SQL: only the program knows its layout. Use insert(_:).")
        }
    }
}

extension FieldValue {
    /// Whether the value is not a number.
    fileprivate var isNaN: Bool {
        switch self {
        case .float(let number): number.isNaN
        case .double(let number): number.isNaN
        case .decimal(let number): number.isNaN
        default: false
        }
    }
}
