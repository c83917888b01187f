// The stamp of an entity: a record of a hidden type beside the entity's own record.
//
//     type     = <name of the entity's type>~metadata
//     key      = the entity's key
//     fields   = updatedAt, 8 bytes

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stamp of an entity of any type.
protocol StampRecord: FollowingRecord {}

/// The time of the last save of an entity.
struct EntityMetadata<Entity: EntityModelProtocol>: StampRecord {
    let id: Entity.ID
    let updatedAt: Date

    static var missingOption: String? { Entity.entityOptions.keepsMetadata ? nil : "keepsMetadata" }

    static var schema: RecordSchema {
        let entity = Entity.schema
        return entity.following(\.metadata) {
            RecordSchema(
                of: Self.self, following: entity, .metadata, id: \Self.id,
                fields: [FieldProperty("updatedAt", \Self.updatedAt, fieldCoding(of: Date.self))])
        }
    }

    static var indexes: [RecordIndex<Self>] { [.index([IndexedProperty("updatedAt", \.updatedAt) { $0.updatedAt }])] }

    var indexKey: Entity.ID { id }

    func encodeKey(into writer: inout KeyWriter) { id.encodeKey(into: &writer) }

    func fieldsSize() throws(CodingError) -> Int { updatedAt.encodedSize }

    func encodeFields(into writer: inout ValueWriter) { updatedAt.encode(into: &writer) }
}

extension EntityMetadata {
    init(decoding reader: inout RecordReader) throws(CodingError) {
        id = try Entity.ID(decodingKey: &reader.key)
        updatedAt = try Date(decoding: &reader.fields)
    }
}
