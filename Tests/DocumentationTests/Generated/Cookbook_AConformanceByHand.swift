// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2563
@IndexKeyRecord(keyPrefix: 3, "lastName", "firstName")
private struct Person {
    let lastName: String
    let firstName: String
    var age: Int
}

// Docs/Cookbook.md:2570
private struct HandWritten {
    let lastName: String
    let firstName: String
    var age: Int
}

// Docs/Cookbook.md:2576
extension HandWritten: IndexKeyRecord {
    typealias IndexKey = Tuple<String, String>

    static let schema = RecordSchema(
        of: Self.self, name: "HandWritten", fileID: #fileID, keyPrefix: 3,
        key: [KeyProperty("lastName", \Self.lastName), KeyProperty("firstName", \Self.firstName)],
        fields: [FieldProperty("age", \Self.age, fieldCoding(of: Int.self))])

    var indexKey: IndexKey { Tuple(lastName, firstName) }

    func encodeKey(into writer: inout KeyWriter) {
        lastName.encodeKey(into: &writer)
        firstName.encodeKey(into: &writer)
    }

    func fieldsSize() throws(CodingError) -> Int {
        try fieldCoding(of: Int.self).encodedSize(of: age)
    }

    func encodeFields(into writer: inout ValueWriter) {
        fieldCoding(of: Int.self).encode(age, into: &writer)
    }

    init(decoding reader: inout RecordReader) throws(CodingError) {
        lastName = try String(decodingKey: &reader.key)
        firstName = try String(decodingKey: &reader.key)
        age = try fieldCoding(of: Int.self).decode(from: &reader.fields)
    }
}

// Docs/Cookbook.md:2606
extension HandWritten {
    static func select(
        in source: some RecordReadable, limit: Int? = nil, order: KeyOrder? = nil, after: IndexKey? = nil,
        lastName: ComparisonOperator<String>
    ) throws -> [Self] {
        try Query<Self>(last: lastName).page(limit: limit, order: order, after: after).resolve(in: source)
    }
}

enum Cookbook_AConformanceByHand {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2563




        let person = Person(lastName: "Dallas", firstName: "Korben", age: 45)
        let twin = HandWritten(lastName: "Dallas", firstName: "Korben", age: 45)
        expectOutput(KeyWriter.bytes { person.encodeKey(into: &$0) } == KeyWriter.bytes { twin.encodeKey(into: &$0) }, is: #"true"#, at: "Docs/Cookbook.md:2617")
        expectOutput(Person.schema.fieldsVersion == HandWritten.schema.fieldsVersion, is: #"true"#, at: "Docs/Cookbook.md:2618")

        do {
            let store = try Store(path: samplePath("people.trove"))
            try store.insert(person)
        }
        let store = try Store(path: samplePath("people.trove"))
        expectOutput(try HandWritten.select(in: store, lastName: .hasPrefix("D")).map(\.age), is: #"[45]"#, at: "Docs/Cookbook.md:2625")
        _ = person
        _ = twin
        _ = store
    }
}
