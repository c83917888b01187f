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

/// A record with a field that cannot always be written: JSON has no bytes for an object that refuses.
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

/// A record whose collections may hold what is not equal to itself.
@IndexKeyRecord("id")
struct Measured {
    let id: Int
    var numbers: Set<Double> = []
    var lists: Set<[Double]> = []
    var names: [Double: String] = [:]
}

/// Announces another number of bytes than it writes.
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

/// The error that a closure throws; nil when it throws none, or none of the store's.
func storeError(_ body: () throws -> some Any) -> StoreError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? StoreError
    }
}
