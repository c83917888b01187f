// The types whose records statements write.

import CSQLite
import Trove
import TroveCoding

/// A type whose records statements write, and its layout.
struct WrittenType {
    let type: any IndexKeyRecord.Type
    let layout: RecordLayout

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
    }
}
