// The changed records of a round, each read once for all observers.

import LMDB
import TroveCoding

extension Round {
    /// Returns a record in the current layout, as the snapshot has it; nil if there is none.
    func record<Record: IndexKeyRecord>(of key: [UInt8], _ type: Record.Type) throws -> CurrentRecord? {
        let keyPrefix = Record.schema.keyPrefix
        if let known = changes.records[keyPrefix]?[key] { return known }
        let record = try context.currentRecord(of: key, type)
        changes.records[keyPrefix, default: [:]][key] = .some(record)
        return record
    }
}

extension ReadContext {
    /// Returns a copy of a record in the current layout; nil if there is none.
    fileprivate final func currentRecord<Record: IndexKeyRecord>(
        of key: [UInt8], _ type: Record.Type
    ) throws -> CurrentRecord? {
        guard let table = try table(for: Record.schema) else { return nil }
        var record: CurrentRecord?
        _ = try translatingErrors {
            try keyspace.withEntry(table.database, key) { key, value in
                try ByteView.with(key) { key in
                    try ByteView.with(value) { value in
                        let isPresent = StoredValue.version(of: value) == table.fieldsVersion
                        record =
                            isPresent
                            ? CurrentRecord(copying: Entry(key, value))
                            : try CurrentRecord(Record.decode(key, value, table), table)
                    }
                }
            }
        }
        return record
    }
}
