// Writes the records of a snapshot as text, from which `Store.load` creates them again.

import TroveCoding

extension ReadContext {
    /// Calls a closure with the lines of a dump, in constant memory.
    ///
    /// The lines describe the types and their records completely: loaded into a new store, the records have the same
    /// bytes. Indexes are not in a dump. The program builds them when it opens the new store. The links of a relation
    /// are the records of a type; loading also builds their lists.
    ///
    /// The history of the store is not in a dump.
    ///
    /// The last line says how many records the lines have, so that loading notices a cut dump.
    ///
    /// - Parameters:
    ///   - types: Elements of ``storedTypes()``.
    ///   - range: The keys of the records; nil for all.
    ///   - limit: The maximum number of records of each type; 0 for the descriptions of the types alone.
    ///   - conditions: Conditions on the records of their types.
    ///   - onDamage: Receives the error of each damaged record, which is then left out; nil to throw the error of the
    ///     first.
    ///   - body: Receives each line, without its end.
    /// - Throws: The errors of ``forEachStoredRecord(of:in:where:onDamage:_:)``, or a closure's error.
    /// - Complexity: O(*n*) in the number of records.
    public final func forEachDumpLine(
        of types: [StoredType], in range: StoredKeyRange? = nil, limit: Int = .max,
        where conditions: [StoredCondition] = [], onDamage: ((StoreError) throws -> Void)? = nil,
        _ body: (String) throws -> Void
    ) throws {
        var count = 0
        try body(DumpLine.format(DumpLine.format).text)
        // The history of a store is none of another.
        for type in types where type.keyPrefix != HistoryRow.schema.keyPrefix {
            try body(DumpLine.type(DumpedType(type)).text)
            guard limit > 0 else { continue }
            var version = type.versions.last
            var left = limit
            try forEachStoredRecord(of: type, in: range, where: conditions, onDamage: onDamage) { record in
                if record.fieldsVersion != version { try body(DumpLine.version(record.fieldsVersion).text) }
                version = record.fieldsVersion
                try body(record.json)
                count += 1
                left -= 1
                return left > 0
            }
        }
        try body(DumpLine.end(count).text)
    }

    /// Calls a closure with the rows of a CSV (RFC 4180): the names of the properties, then the records.
    ///
    /// Values have the text of their JSON. Nil is an empty field, and an empty text is `""`.
    ///
    /// - Parameters:
    ///   - type: An element of ``storedTypes()``.
    ///   - range: The keys of the records; nil for all.
    ///   - limit: The maximum number of records.
    ///   - conditions: Conditions on the records.
    ///   - onDamage: Receives the error of each damaged record, which is then left out; nil to throw the error of the
    ///     first.
    ///   - body: Receives each row, without its end.
    /// - Throws: ``CSVError`` for a type with a property that has parts, and for a record of an older layout; the
    ///   errors of ``forEachStoredRecord(of:in:where:onDamage:_:)``, or a closure's error.
    /// - Complexity: O(*n*) in the number of records.
    public final func forEachCSVRow(
        of type: StoredType, in range: StoredKeyRange? = nil, limit: Int = .max,
        where conditions: [StoredCondition] = [], onDamage: ((StoreError) throws -> Void)? = nil,
        _ body: (String) throws -> Void
    ) throws {
        let layout = try type.layout(of: type.versions.last)
        let columns = try layout.csvColumns(of: type.name)
        try body(CSVText.row(columns.map { CSVField(text: $0.name, isQuoted: false) }))
        guard limit > 0 else { return }
        var left = limit
        try forEachStoredRecord(of: type, in: range, where: conditions, onDamage: onDamage) { record in
            guard record.fieldsVersion == type.versions.last else {
                throw CSVError.olderLayout(type: type.name, version: record.fieldsVersion)
            }
            try body(
                CSVText.row(
                    record.fields.fields.map { field in
                        CSVField(text: field.value.scalarText ?? "", isQuoted: field.value != .null)
                    }))
            left -= 1
            return left > 0
        }
    }
}
