// The migration of deleted entities whose entity type converts its entities itself: the entity's fields by the entity's
// own methods, in the order in which stored entities try them; the ids of its relations by the automatic rules.

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Deleted {
    static func migrate(
        _ old: StoredFields, from version: UInt32, _ migration: VersionMigration
    ) throws -> Deleted? {
        guard let conversion = migration.addedFields, let adaptation = migration.adaptation else { return nil }
        let added = adaptation.addedFields(of: old)
        let parts = try Parts(StoredFields(Array(old.fields.dropLast(added.fields.count))), added, version)
        guard var entity = try migrate(parts) else { return nil }
        var bytes: [UInt8] = []
        try parts.addedBytes().withRawSpan { fields in
            try conversion.get().convertFields(key: RawSpan(), fields: fields, into: &bytes)
        }
        return try bytes.withRawSpan { fields in
            try RecordReader.readPart(key: RawSpan(), fields: fields) { reader in
                for relation in Entity.relations { try relation.accessor.decodeIDs(from: &reader.fields, in: &entity) }
                return Deleted(entity, deletedAt: try Date(decoding: &reader.fields))
            }
        }
    }

    /// Converts the entity by its own methods; nil if it has none for the version.
    private static func migrate(_ parts: Parts) throws -> Entity? {
        guard parts.version != Entity.fieldsVersion else { return nil }
        let unsupported = Entity.unsupportedMigration(from: parts.version)
        do {
            return try parts.withBytes { key, fields in
                try RecordReader.readPart(key: key, fields: fields) { reader in
                    try Entity(decoding: &reader, version: parts.version)
                }
            }
        } catch let error as StoreError where error == unsupported {
            // The next method is tried.
        }
        do {
            return try Entity.migrate(parts.entity, from: parts.version)
        } catch let error as StoreError where error == unsupported {
            return nil
        }
    }

    /// The fields of a deleted entity of another version.
    private struct Parts {
        /// The key, and the fields of the entity.
        let entity: StoredFields
        /// The fields after them.
        private let added: StoredFields
        /// The version of the entity's fields.
        let version: UInt32
        /// The layout of the entity.
        private let layout: RecordLayout
        /// The layout of the fields after the fields of the entity.
        private let addedLayout: RecordLayout

        init(_ entity: StoredFields, _ added: StoredFields, _ version: UInt32) throws {
            self.entity = entity
            self.added = added
            addedLayout = RecordLayout(key: [], fields: try Self.layout(of: added))
            self.version = version ^ KeptEntities.hash(ofAddedFields: addedLayout.fields.map(\.description))
            let fields = try Self.layout(of: entity)
            layout = RecordLayout(key: Array(fields.prefix(1)), fields: Array(fields.dropFirst()))
        }

        private static func layout(of fields: StoredFields) throws -> [LayoutField] {
            try fields.fields.map { field in
                guard let type = field.type else { throw ConversionError(field: field.name, reason: .missing) }
                return LayoutField(field.name, type)
            }
        }

        /// Calls a closure with the bytes of the entity's record.
        func withBytes<R>(_ body: (_ key: RawSpan, _ fields: RawSpan) throws -> R) throws -> R {
            let key = try layout.writeKey(StoredFields(Array(entity.fields.prefix(1))))
            let fields = try layout.writeFields(StoredFields(Array(entity.fields.dropFirst())))
            return try key.withRawSpan { key in try fields.withRawSpan { try body(key, $0) } }
        }

        /// Returns the bytes of the fields after the fields of the entity.
        func addedBytes() throws -> [UInt8] { try addedLayout.writeFields(added) }
    }
}
