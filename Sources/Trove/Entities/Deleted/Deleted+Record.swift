// The stored form of a deleted entity.

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Deleted {
    /// The type's name and properties: the properties of the entity, its relations as ids, and the time.
    public static var schema: RecordSchema {
        let entity = Entity.schema
        return entity.following(\.deleted) {
            let own = ownFields
            return RecordSchema(
                of: Self.self, following: entity, .deleted,
                fieldsVersion: entity.fieldsVersion ^ KeptEntities.hash(ofAddedFields: own.map(\.described.text)),
                id: \Self.id, fields: entity.fields.map { $0.inside(\Self.entity) } + own)
        }
    }

    /// The fields after the fields of the entity.
    private static var ownFields: [FieldProperty] {
        Entity.relations.map(\.accessor.idField)
            + [FieldProperty(KeptEntities.deletedAt, \Self.deletedAt, fieldCoding(of: Date.self))]
    }

    /// An index on the time.
    public static var indexes: [RecordIndex<Self>] {
        [.index([IndexedProperty(KeptEntities.deletedAt, \.deletedAt) { $0.deletedAt }])]
    }

    /// Writes the id.
    public func encodeKey(into writer: inout KeyWriter) { entity.encodeKey(into: &writer) }

    /// Returns the number of bytes of the fields.
    public func fieldsSize() throws(CodingError) -> Int {
        var size = try entity.fieldsSize() + deletedAt.encodedSize
        for relation in Entity.relations { size += try relation.accessor.idsSize(of: entity) }
        return size
    }

    /// Writes the fields of the entity, the ids of its relations, and the time.
    public func encodeFields(into writer: inout ValueWriter) {
        entity.encodeFields(into: &writer)
        for relation in Entity.relations { relation.accessor.encodeIDs(of: entity, into: &writer) }
        deletedAt.encode(into: &writer)
    }

    /// Decodes a deleted entity.
    public init(decoding reader: inout RecordReader) throws(CodingError) {
        var entity = try Entity(decoding: &reader)
        for relation in Entity.relations { try relation.accessor.decodeIDs(from: &reader.fields, in: &entity) }
        self.init(entity, deletedAt: try Date(decoding: &reader.fields))
    }
}

extension FieldProperty {
    /// Returns the same field of a record inside another record.
    fileprivate func inside<Outer, Inner>(_ outer: KeyPath<Outer, Inner>) -> FieldProperty {
        let path = path.flatMap { (outer as AnyKeyPath).appending(path: $0.path) }
        return FieldProperty(
            name, at: path.map(PropertyPath.init), described: described, coding: coding, skip: skip)
    }
}
