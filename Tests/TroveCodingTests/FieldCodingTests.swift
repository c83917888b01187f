// Tests of the choice of a property's coding: its type's own, then its raw value's, and JSON only without any other.

import Foundation
import Testing
import TroveCoding
import TroveCodingSamples

struct FieldCodingTests {
    @Test func coding_isTheBestThereIs() {
        let direct: DirectField<Int>.Type = fieldCoding(of: Int.self)
        let codableValue: DirectField<Sign>.Type = fieldCoding(of: Sign.self)
        let optionalValue: DirectField<Sign?>.Type = fieldCoding(of: Sign?.self)
        let array: DirectField<[String: Set<Double?>]>.Type = fieldCoding(of: [String: Set<Double?>].self)
        let raw: RawField<Plain>.Type = fieldCoding(of: Plain.self)
        let codableRaw: RawField<CodablePlain>.Type = fieldCoding(of: CodablePlain.self)
        let optionalRaw: OptionalField<RawField<Plain>>.Type = fieldCoding(of: Plain?.self)
        let optionalCodableRaw: OptionalField<RawField<CodablePlain>>.Type = fieldCoding(of: CodablePlain?.self)
        let json: JSONField<Legacy>.Type = fieldCoding(of: Legacy.self)
        let optionalJSON: JSONField<Legacy?>.Type = fieldCoding(of: Legacy?.self)
        let arrayJSON: JSONField<[Legacy]>.Type = fieldCoding(of: [Legacy].self)
        let codings: [any FieldCoding.Type] = [
            direct, codableValue, optionalValue, array, raw, codableRaw, optionalRaw, optionalCodableRaw, json,
            optionalJSON, arrayJSON,
        ]
        // Also with inferred types, as in generated code.
        let inferred: [any FieldCoding.Type] = [
            fieldCoding(of: Int.self), fieldCoding(of: Sign.self), fieldCoding(of: Sign?.self),
            fieldCoding(of: [String: Set<Double?>].self), fieldCoding(of: Plain.self),
            fieldCoding(of: CodablePlain.self), fieldCoding(of: Plain?.self), fieldCoding(of: CodablePlain?.self),
            fieldCoding(of: Legacy.self), fieldCoding(of: Legacy?.self), fieldCoding(of: [Legacy].self),
        ]
        #expect(codings.map { ObjectIdentifier($0) } == inferred.map { ObjectIdentifier($0) })
    }

    @Test func codings_comeBack() throws {
        func check<Coding: FieldCoding>(_ coding: Coding.Type, _ values: [Coding.Value]) throws
        where Coding.Value: Equatable {
            for value in values {
                let bytes = try coding.bytes(of: value)
                #expect(try coding.value(from: bytes) == value)
                #expect(try coding.encodedSize(of: value) == bytes.count && !bytes.isEmpty)
                if let size = coding.fixedSize { #expect(size == bytes.count) }
                try ValueReader.read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in
                    try coding.skip(in: &reader)
                }
                for end in bytes.indices {
                    #expect(throws: CodingError.self) { try coding.value(from: Array(bytes[..<end])) }
                }
            }
        }
        try check(fieldCoding(of: Place.self), [Place(name: "a", latitude: 1, tags: ["b"])])
        try check(fieldCoding(of: Plain.self), Plain.allCases)
        try check(fieldCoding(of: CodablePlain.self), CodablePlain.allCases)
        try check(fieldCoding(of: Plain?.self), [nil, .first, .second])
        try check(fieldCoding(of: Legacy.self), [Legacy(b: 0), Legacy(b: .min)])
        try check(fieldCoding(of: Legacy?.self), [nil, Legacy(b: 1)])
        let dates = [0, 0.1 + 0.2, -1e300, .infinity].map(Date.init(timeIntervalSinceReferenceDate:))
        try check(
            fieldCoding(of: Reading.self),
            dates.map { Reading(at: $0, value: -.infinity, notes: ["b": "\0", "a": nil, "é": "日"]) })
    }

    @Test func optionalRaw_hasTheBytesOfADeclaredOne() throws {
        #expect(try OptionalField<RawField<Level>>.bytes(of: .low) == ValueWriter.bytes(of: Level?.some(.low)))
        #expect(try OptionalField<RawField<Level>>.bytes(of: nil) == ValueWriter.bytes(of: Level?.none))
        #expect(try RawField<Level>.bytes(of: .low) == ValueWriter.bytes(of: Level.low))
    }

    @Test func json_hasSortedKeys() throws {
        let one = try JSONField.bytes(of: ["b": 1, "a": 2, "c": 3])
        #expect(String(decoding: one.dropFirst(), as: UTF8.self) == #"{"a":2,"b":1,"c":3}"#)
    }

    @Test func json_thatThrows_isAnErrorOfTheWriter() throws {
        struct Refusing: Codable {
            struct No: Error {}
            init() {}
            init(from decoder: any Decoder) throws { throw No() }
            func encode(to encoder: any Encoder) throws { throw No() }
        }
        let size = try #require(throws: CodingError.self) { try JSONField.encodedSize(of: Refusing()) }
        guard case .unencodable = size.reason else { throw size }
        let write = try #require(throws: CodingError.self) {
            try ValueWriter.bytes(count: 3) { JSONField.encode(Refusing(), into: &$0) }
        }
        guard case .unencodable = write.reason else { throw write }
        #expect(throws: CodingError.self) { try JSONField<Refusing>.value(from: bytes("02 7B 7D")) }
    }
}
