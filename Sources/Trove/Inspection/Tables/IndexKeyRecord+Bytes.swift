// Changes of records for code that knows their type by its metatype, and their values by their layout.

import LMDB
import TroveCoding

extension IndexKeyRecord {
    /// Returns the fields of a stored record in the current layout; nil if there is no such record. The bytes of a
    /// record of that layout are not decoded.
    package static func storedFields(withKey key: [UInt8], in context: ReadContext) throws -> [UInt8]? {
        try translatingErrors {
            let known = try key.withRawSpan { try context.knownTable(for: schema, reading: $0) }
            guard let table = known?.table else { return nil }
            var fields: [UInt8]?
            _ = try context.keyspace.withEntry(table.database, key) { key, value in
                if try table.version(of: key, value) != table.fieldsVersion {
                    fields = try decode(key, value, table).currentBytes().fields
                    return
                }
                if table.verifiesChecksums { try table.verify(key, value) }
                fields = copiedBytes(value.extracting(droppingFirst: StoredValue.headerSize))
            }
            return fields
        }
    }

    /// Throws if there is a record with a key, and it cannot be decoded.
    package static func checkRecord(withKey key: [UInt8], in context: ReadContext) throws {
        _ = try context.record(Self.self, withKey: key)
    }

    /// Stores the record as it is. An entity is saved with its hooks: its unset relations keep their links, and the
    /// values of the stored entity are not merged.
    ///
    /// - Returns: False if a rule has left the record unsaved.
    package func storeAsIs(in context: TransactionContext, onConflict rule: ConflictRule) throws -> Bool {
        if let entity = self as? any EntityModelProtocol { return try entity.saveAsIs(in: context, rule) }
        return try context.insert(self, onConflict: rule)
    }

    /// Removes the record with a key. An entity is deleted by the rules of its relations, and with its hooks.
    ///
    /// - Returns: Whether the record existed.
    package static func remove(withKey key: [UInt8], in context: TransactionContext) throws -> Bool {
        try key.withRawSpan { key in try context.replace(key, with: nil as Self?) }
    }

    /// Returns whether records can have links, which know them by their keys.
    package static func canHaveLinks(in context: ReadContext) throws -> Bool {
        guard let entity = Self.self as? any EntityModelProtocol.Type else { return false }
        return try translatingErrors {
            try entity.hasRelations || !context.incomingLinks(of: schema.keyPrefix).isEmpty
        }
    }
}

extension EntityModelProtocol {
    fileprivate static var hasRelations: Bool { !relations.isEmpty }

    fileprivate func saveAsIs(in context: TransactionContext, _ rule: ConflictRule) throws -> Bool {
        try context.saveGraph(self, .replace, onConflict: rule)
    }
}

extension StoredTable {
    /// Whether the store itself writes the records, which follow from entities.
    package var followsEntities: Bool { type is any FollowingRecord.Type }
}
