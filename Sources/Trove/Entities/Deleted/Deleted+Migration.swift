// The migration of deleted entities: the entity's fields by the entity's own methods, in the order in which stored
// entities try them; the ids of its relations by the automatic rules. Ids that do not convert are dropped.

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Deleted {
    /// Converts a deleted entity of another version.
    public static func migrate(_ old: StoredFields, from version: UInt32) throws -> Self {
        let parts = try Parts(old, version)
        var entity = try migrate(parts)
        for relation in Entity.relations { try relation.accessor.setIDs(from: parts.own, in: &entity) }
        return Self(entity, deletedAt: try parts.own.value(deletedAtName, as: Date.self))
    }

    /// Converts the entity.
    private static func migrate(_ parts: Parts) throws -> Entity {
        let unsupported = Entity.unsupportedMigration(from: parts.version)
        if parts.version != Entity.fieldsVersion {
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
                // The next method is tried.
            }
        }
        return try Entity(converting: parts.entity)
    }

    /// The fields of a deleted entity of another version.
    private struct Parts {
        /// The key, and the fields of the entity.
        let entity: StoredFields
        /// The fields after them.
        let own: StoredFields
        /// The version of the entity's fields.
        let version: UInt32
        /// The layout of the entity.
        private let layout: RecordLayout

        init(_ old: StoredFields, _ version: UInt32) throws {
            let count = old.fields.reversed().prefix { $0.name.hasPrefix("$") || $0.name == deletedAtName }.count
            entity = StoredFields(Array(old.fields.dropLast(count)))
            own = StoredFields(Array(old.fields.suffix(count)))
            self.version = version ^ hash(ofOwnFields: try Self.layout(of: own).map(\.description))
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
    }
}

extension RelationAccessor {
    /// Sets the relation to the ids of a deleted entity of another version.
    fileprivate func setIDs(from fields: StoredFields, in owner: inout Owner) throws(CodingError) {
        let names = [description.name] + description.oldNames.reversed()
        let stored = names.lazy.compactMap { name in fields.fields.first { $0.name == "$" + name } }.first
        guard let stored else { return }
        switch (stored.value, stored.type) {
        case (.array(let values), .array(let type)): setIDs(try convertedIDs(values, type), in: &owner)
        case (.null, _): break
        case (let value, .optional(let type)): setIDs(try convertedIDs([value], type), in: &owner)
        default: break
        }
    }

    /// Returns ids of another type. Ids that do not convert are left out.
    private func convertedIDs(_ values: [FieldValue], _ type: LayoutType) throws(CodingError) -> [Target.ID] {
        let old = RecordLayout(key: [], fields: [LayoutField("id", type)])
        let new = try RecordLayout("(){id:" + LayoutBuilder.text(of: Target.ID.self) + "}")
        do {
            let conversion = try RecordConversion(from: old, to: new)
            return values.compactMap { value in
                do {
                    var bytes: [UInt8] = []
                    try old.writeFields(StoredFields([StoredFields.Field("id", value)])).withRawSpan { fields in
                        try conversion.convertFields(key: RawSpan(), fields: fields, into: &bytes)
                    }
                    return try ValueReader.decode(Target.ID.self, from: bytes)
                } catch {
                    return nil
                }
            }
        } catch {
            return []
        }
    }
}
