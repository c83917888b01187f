// The records of the store's own tests.

import Foundation
import Trove

@IndexKeyRecord("group", "word")
struct Entry: Hashable {
    let group: UInt8
    let word: String
    var text: String
    var counts: [Int]
}

@IndexKeyRecord("number")
struct Tick: Hashable {
    let number: Int
    var note: String
}

/// A record with a field not always encodable: JSON has no bytes for an object whose encoding throws.
@IndexKeyRecord("name")
struct Awkward: Hashable {
    let name: String
    var content: Refusing
}

struct Refusing: Codable, Hashable, Sendable {
    struct Refusal: Error {}

    var refuses: Bool

    func encode(to encoder: any Encoder) throws {
        if refuses { throw Refusal() }
        var container = encoder.singleValueContainer()
        try container.encode(refuses)
    }

    init(from decoder: any Decoder) throws { refuses = try decoder.singleValueContainer().decode(Bool.self) }
    init(refuses: Bool) { self.refuses = refuses }
}

/// A record whose collections may hold elements unequal to themselves.
@IndexKeyRecord("id")
struct Measured {
    let id: Int
    var numbers: Set<Double> = []
    var lists: Set<[Double]> = []
    var names: [Double: String] = [:]
}

/// A record with a wrong announced size.
struct Liar: IndexKeyRecord {
    var number: Int
    var promised: Int

    static let schema = RecordSchema(
        of: Self.self, name: "Liar", fileID: #fileID, key: [KeyProperty("number", Int.self)],
        fields: [FieldProperty("promised", fieldCoding(of: Int.self))])

    var indexKey: Int { number }
    func encodeKey(into writer: inout KeyWriter) { number.encodeKey(into: &writer) }
    func fieldsSize() throws(CodingError) -> Int { promised }
    func encodeFields(into writer: inout ValueWriter) { promised.encode(into: &writer) }
}

extension Liar {
    init(decoding reader: inout RecordReader) throws(CodingError) {
        number = try Int(decodingKey: &reader.key)
        promised = try Int(decoding: &reader.fields)
    }
}

/// Returns the error thrown by a closure; nil without an error, or for another type.
func storeError(_ body: () throws -> some Any) -> StoreError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? StoreError
    }
}
