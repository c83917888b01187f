// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2635
private struct HandWritten: IndexKeyRecord {
    typealias IndexKey = Int

    let id: Int
    var name: String
    var age: Int
    var email: String?

    static let indexes: [RecordIndex<HandWritten>] = [
        .index([IndexedProperty("name", \.name) { $0.name }, IndexedProperty("age", descending: \.age) { $0.age }]),
        .index(
            [IndexedProperty("age", \.age) { $0.age }],
            where: IndexCondition("adults", filter: \.age >= 18, isExact: true) { $0.age >= 18 }),
        .unique([IndexedProperty("email", \.email) { $0.email }], collisions: .throw),
    ]

    static let schema = RecordSchema(
        of: Self.self, name: "HandWritten", fileID: #fileID, key: [KeyProperty("id", \Self.id)],
        fields: [
            FieldProperty("name", \Self.name, fieldCoding(of: String.self)),
            FieldProperty("age", \Self.age, fieldCoding(of: Int.self)),
            FieldProperty("email", \Self.email, fieldCoding(of: String?.self)),
        ])

    var indexKey: Int { id }

    init(id: Int, name: String, age: Int, email: String? = nil) {
        (self.id, self.name, self.age, self.email) = (id, name, age, email)
    }

    func encodeKey(into writer: inout KeyWriter) { id.encodeKey(into: &writer) }

    func fieldsSize() throws(CodingError) -> Int {
        try name.encodedSize + age.encodedSize + email.encodedSize
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

enum Cookbook_IndexesByHand {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2635

        let store = try Store(path: samplePath("people.trove"), records: [HandWritten.self])
        try store.insert(contentsOf: [
            HandWritten(id: 1, name: "Korben", age: 45, email: "korben@example.com"), HandWritten(id: 2, name: "Ruby", age: 30),
        ])
        expectOutput(try HandWritten.filter(\.name == "Ruby").keys(in: store), is: #"[2]"#, at: "Docs/Cookbook.md:2689")
        expectOutput(try store.check(HandWritten.self).count, is: #"0"#, at: "Docs/Cookbook.md:2690")
        _ = store
    }
}
