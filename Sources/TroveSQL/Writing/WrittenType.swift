// The types whose records statements write by the code of the program.

import CSQLite
import Trove
import TroveCoding

/// A type that the program declares, and its layout.
final class WrittenType: RecordStorage {
    let layout: RecordLayout
    private let type: any IndexKeyRecord.Type
    private let tableName: String

    /// - Throws: ``SQLError`` if the program cannot write the records of a table.
    init(of table: SQLTable) throws(SQLError) {
        let stored = table.stored
        guard let type = stored.type else {
            throw SQLError(
                code: SQLITE_READONLY,
                message: """
                    \(table.name) cannot be written: the program does not declare the type. Name it in records: of the \
                    store.
                    """)
        }
        guard !stored.followsEntities else {
            throw SQLError(
                code: SQLITE_READONLY,
                message: "\(table.name) cannot be written: the store itself keeps these records of entities.")
        }
        guard let layout = stored.declared, (layout.key + layout.fields).map(\.type) == table.columns.map(\.type) else {
            throw SQLError(
                code: SQLITE_READONLY,
                message: """
                    \(table.name) cannot be written: its records have another layout than the type. Migrate them first.
                    """)
        }
        self.type = type
        self.layout = layout
        tableName = table.name
    }

    func fields(ofRecordWithKey key: [UInt8], in context: TransactionContext) throws -> [UInt8]? {
        try type.storedFields(withKey: key, in: context)
    }

    func save(key: [UInt8], fields: [UInt8], replaces: Bool, in context: TransactionContext) throws -> Bool {
        try record(key, fields, in: context).storeAsIs(in: context, onConflict: replaces ? .replace : .throw)
    }

    func remove(key: [UInt8], in context: TransactionContext) throws -> Bool {
        try type.remove(withKey: key, in: context)
    }

    func canHaveLinks(in context: ReadContext) throws -> Bool { try type.canHaveLinks(in: context) }

    private func record(
        _ key: [UInt8], _ fields: [UInt8], in context: TransactionContext
    ) throws -> any IndexKeyRecord {
        do throws(ConversionError) {
            return try type.init(key: key, fields: fields, of: layout)
        } catch {
            // An unchanged field of a damaged record is refused, too.
            try type.checkRecord(withKey: key, in: context)
            let reason = if case .value(let reason) = error.reason { "\(reason)" } else { "\(error)" }
            throw SQLError(
                code: TROVE_CONSTRAINT_DATATYPE,
                message: "\(tableName).\(error.field) cannot have this value: the type refuses it. \(reason)")
        }
    }
}
