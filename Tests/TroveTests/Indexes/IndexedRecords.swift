// A type with indexes, written by hand.

import Foundation
import Trove

/// A user, as a program with indexes declares the type.
struct IndexedUser: Equatable, IndexKeyRecord {
    typealias IndexKey = Int

    let id: Int
    var name: String
    var age: Int
    var email: String?

    static let indexes: [RecordIndex<IndexedUser>] = [
        .index([IndexedProperty("age", \.age) { $0.age }]),
        .index([IndexedProperty("name", \.name) { $0.name }, IndexedProperty("age", \.age) { $0.age }]),
        .unique([IndexedProperty("email", \.email) { $0.email }], collisions: .throw),
    ]

    static let schema = RecordSchema(
        of: Self.self, name: "IndexedUser", fileID: #fileID, keyPrefix: 901, key: [KeyProperty("id", Int.self)],
        fields: [
            FieldProperty("name", fieldCoding(of: String.self)), FieldProperty("age", fieldCoding(of: Int.self)),
            FieldProperty("email", fieldCoding(of: String?.self)),
        ])

    var indexKey: Int { id }

    init(id: Int, name: String, age: Int, email: String?) {
        (self.id, self.name, self.age, self.email) = (id, name, age, email)
    }

    func encodeKey(into writer: inout KeyWriter) { id.encodeKey(into: &writer) }

    func fieldsSize() throws(CodingError) -> Int {
        var size = name.encodedSize
        size += age.encodedSize
        size += try email.encodedSize
        return size
    }

    func encodeFields(into writer: inout ValueWriter) {
        name.encode(into: &writer)
        age.encode(into: &writer)
        email.encode(into: &writer)
    }

    init(decoding reader: inout RecordReader) throws(CodingError) {
        id = try Int(decodingKey: &reader.key)
        name = try String(decoding: &reader.fields)
        age = try Int(decoding: &reader.fields)
        email = try String?(decoding: &reader.fields)
    }
}
