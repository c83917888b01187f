// A change of a record, as a statement of SQL.

#if Inspector
import Trove
import TroveSQL

/// A change of a record, as a statement of SQL: by the code of the program that declares the type, or by the stored
/// layout, with the upkeep of indexes by which `trove sql --write` writes.
struct RecordChange: Sendable {
    /// The statement with a `?` for each value.
    private let sql: SQL
    /// The statement with its values in it, to be shown.
    let text: String
    private let record: ChangedRecord

    /// Creates the removal of a record.
    init(deleting record: ChangedRecord) throws {
        let table = record.type.name.quotedForSQL
        self.init(record, "DELETE FROM \(table)", [], try record.type.sqlKeyColumn())
    }

    /// Creates the change of a field.
    ///
    /// - Throws: ``RefusedChange`` for a field that cannot be named in SQL.
    init(setting field: LayoutField, to value: SQLValue, of record: ChangedRecord) throws {
        let layout = try record.type.layout(of: record.type.versions.last)
        let namesakes = (layout.key + layout.fields).count { $0.name.lowercased() == field.name.lowercased() }
        guard namesakes == 1, !field.name.utf8.contains(0) else {
            throw RefusedChange(description: "SQL cannot tell the property “\(field.name)” from another one.")
        }
        let table = record.type.name.quotedForSQL
        self.init(
            record, "UPDATE \(table) SET \(field.name.quotedForSQL) = ", [value], try record.type.sqlKeyColumn())
    }

    private init(_ record: ChangedRecord, _ head: String, _ values: [SQLValue], _ keyColumn: String) {
        self.record = record
        let key = SQLValue.blob(record.key.bytes)
        let marks = String(repeating: "?", count: values.count)
        sql = SQL(raw: "\(head)\(marks) WHERE \(keyColumn) = ?", arguments: values + [key])
        text = "\(head)\(values.map { "\($0)" }.joined()) WHERE \(keyColumn) = \(key)"
    }

    /// Returns the reason why records of the type cannot be changed; nil if they can.
    func refusal(on site: Site, _ snapshot: Snapshot) throws -> String? {
        if let links = record.type.links { return "Only its program writes the links of \(links.name)." }
        do {
            let types = try site.withWritingStatements { try StatementCall.writtenTypes(of: sql, snapshot.context) }
            // SQL does not tell capital letters from small ones.
            return types == [record.type.name] ? nil : "SQL cannot tell the type from another one."
        } catch let error as SQLError {
            return error.message
        }
    }

    /// Changes the record in a transaction of its own.
    ///
    /// - Parameter mark: The mark of the record when the change was shown.
    /// - Throws: ``RefusedChange`` if the record is no longer the one with the mark, or if a rule of its type has kept
    ///   it; `SQLError` for a constraint, and for a type that only its program can write; `StoreError`.
    func run(in site: Site, ifStill mark: String) async throws {
        try await site.write { context in
            guard let type = try context.storedType(withName: record.type.name),
                let value = try context.storedBytes(withKey: record.key.bytes, of: type)
            else { throw RefusedChange(description: "The record was removed meanwhile.") }
            guard ChangedRecord(type: type, key: record.key, value: value).mark == mark else {
                throw RefusedChange(description: "The record was changed meanwhile. Load its page again.")
            }
            guard try context.sql(sql).changes == 1 else {
                throw RefusedChange(description: "A rule of the type has kept the record as it was.")
            }
        }
    }
}

/// A change that is not carried out, with the reason.
struct RefusedChange: Error, CustomStringConvertible {
    let description: String
}

/// The error of a change without the option to write.
struct WritesNotAllowed: Error, CustomStringConvertible {
    var description: String {
        "This inspector only reads. `trove inspect --write` starts one that can change records, and an app gives "
            + "`allowsWrites` to its InspectorServer."
    }
}

extension StoredType {
    /// Returns the quoted name of the hidden column with the bytes of keys, which no property has.
    func sqlKeyColumn() throws -> String {
        let layout = try layout(of: versions.last)
        let names = Set((layout.key + layout.fields).map { $0.name.lowercased() })
        var name = "_key"
        while names.contains(name) { name = "_" + name }
        return name
    }
}
#endif
