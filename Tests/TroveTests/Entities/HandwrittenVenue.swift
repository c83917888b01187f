// An entity without the macro, and the same entity with it.

import TroveCoding

@testable import Trove

@EntityModel
struct GeneratedVenue {
    let id: Int
    var name: String
    @Relationship() var films: [Film]?
    @Relationship(inverse: \.neighbors) var neighbors: [GeneratedVenue]?
}

/// The conformance that the macro generates, written by hand.
struct HandwrittenVenue: EntityModelProtocol, Equatable {
    let id: Int
    var name: String
    @Relationship() var films: [Film]?
    @Relationship(inverse: \.neighbors) var neighbors: [HandwrittenVenue]?

    static let schema = RecordSchema(
        of: HandwrittenVenue.self, name: "HandwrittenVenue", fileID: #fileID, key: [KeyProperty("id", \Self.id)],
        fields: [FieldProperty("name", fieldCoding(of: String.self))])

    enum RelationKeys {
        enum films: RelationKey {
            typealias OwnerEntity = HandwrittenVenue
            typealias TargetEntity = Film
            typealias InverseKey = NoInverse
        }
        enum neighbors: RelationKey {
            typealias OwnerEntity = HandwrittenVenue
            typealias TargetEntity = HandwrittenVenue
            typealias InverseKey = RelationKeys.neighbors
        }
    }

    static let relations: [EntityRelation<Self>] = [
        .oneWay(RelationKeys.films.self, property: "films", at: \.$films, get: { $0.$films }, set: { $0.$films = $1 }),
        .mutual(
            RelationKeys.neighbors.self, property: "neighbors", inverse: "neighbors", at: \.$neighbors,
            get: { $0.$neighbors },
            set: { $0.$neighbors = $1 }),
    ]

    static let patches: [MergeStrategy<Self>] = []

    var indexKey: Int { id }

    func encodeKey(into writer: inout KeyWriter) { id.encodeKey(into: &writer) }

    func fieldsSize() throws(CodingError) -> Int { name.encodedSize }

    func encodeFields(into writer: inout ValueWriter) { name.encode(into: &writer) }
}

extension HandwrittenVenue {
    init(decoding reader: inout RecordReader) throws(CodingError) {
        id = try Int(decodingKey: &reader.key)
        name = try String(decoding: &reader.fields)
    }
}
