// The tables of an index in an open store, before the index itself is opened.

import LMDB

/// The tables from which an index is opened.
struct IndexTables {
    /// The name of the first table.
    let name: TableName
    let database: Database
    let state: IndexState
    /// The name of the record type, for errors.
    let type: String
    /// The tables of all indexes of the type that have several tables, and the tables that they share.
    let parts: [TableName: Database]
    let verifiesChecksums: Bool
}
