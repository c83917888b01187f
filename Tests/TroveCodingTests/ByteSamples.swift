// The bytes of fixed values of every type, checked by hand: the tests notice any change of the stored format.

import Foundation
import TroveCoding
import TroveCodingSamples

/// A value and its bytes, in hexadecimal digits with blanks between bytes.
struct ByteSample: Sendable {
    let type: String
    let value: String
    let key: String?
    let field: String
    let encodedKey: @Sendable () throws -> String?
    let encodedField: @Sendable () throws -> String
    let decodedField: @Sendable () throws -> String

    static func key<Value: KeyComponent>(
        _ type: String, _ name: String, _ value: Value, key: String, field: String
    ) -> ByteSample {
        ByteSample(
            type: type, value: name, key: key, field: field,
            encodedKey: {
                let bytes = KeyWriter.bytes(of: value)
                let back = try KeyReader.decode(Value.self, from: bytes)
                return hex(bytes) == hex(KeyWriter.bytes(of: back)) ? hex(bytes) : "does not come back"
            },
            encodedField: { try hex(ValueWriter.bytes(of: value)) },
            decodedField: { try hex(ValueWriter.bytes(of: ValueReader.decode(Value.self, from: bytes(field)))) })
    }

    static func field<Value: RecordValue>(
        _ type: String, _ name: String, _ value: Value?, field: String
    ) -> ByteSample {
        ByteSample(
            type: type, value: name, key: nil, field: field,
            encodedKey: { nil },
            encodedField: { try value.map { try hex(ValueWriter.bytes(of: $0)) } ?? "no value" },
            decodedField: { try hex(ValueWriter.bytes(of: ValueReader.decode(Value.self, from: bytes(field)))) })
    }

    static func field<Coding: FieldCoding>(
        _ type: String, _ name: String, _ coding: Coding.Type, _ value: Coding.Value, field: String
    ) -> ByteSample {
        ByteSample(
            type: type, value: name, key: nil, field: field,
            encodedKey: { nil },
            encodedField: { try hex(Coding.bytes(of: value)) },
            decodedField: { try hex(Coding.bytes(of: Coding.value(from: bytes(field)))) })
    }
}

/// Returns bytes as two hexadecimal digits each, with blanks between them.
func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
}

/// Returns the bytes of a text of ``hex(_:)``.
func bytes(_ hex: String) -> [UInt8] {
    hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
}

extension ByteSample {
    static let all: [ByteSample] = [
        .key("Int8", "-128", Int8.min, key: "00", field: "80"),
        .key("Int8", "-1", Int8(-1), key: "7F", field: "FF"),
        .key("Int8", "0", Int8(0), key: "80", field: "00"),
        .key("Int8", "127", Int8.max, key: "FF", field: "7F"),
        .key("Int16", "-2", Int16(-2), key: "7F FE", field: "FE FF"),
        .key("Int16", "258", Int16(258), key: "81 02", field: "02 01"),
        .key("Int32", "-2", Int32(-2), key: "7F FF FF FE", field: "FE FF FF FF"),
        .key("Int32", "1", Int32(1), key: "80 00 00 01", field: "01 00 00 00"),
        .key("Int64", "-1", Int64(-1), key: "7F FF FF FF FF FF FF FF", field: "FF FF FF FF FF FF FF FF"),
        .key("Int", "1", 1, key: "80 00 00 00 00 00 00 01", field: "01 00 00 00 00 00 00 00"),
        .key("Int", "Int.max", Int.max, key: "FF FF FF FF FF FF FF FF", field: "FF FF FF FF FF FF FF 7F"),
        .key(
            "Int128", "-1", Int128(-1),
            key: "7F FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF",
            field: "FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF"),
        .key(
            "Int128", "1", Int128(1),
            key: "80 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01",
            field: "01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
        .key("UInt8", "200", UInt8(200), key: "C8", field: "C8"),
        .key("UInt16", "258", UInt16(258), key: "01 02", field: "02 01"),
        .key("UInt32", "1", UInt32(1), key: "00 00 00 01", field: "01 00 00 00"),
        .key("UInt64", "2^63", UInt64(1) << 63, key: "80 00 00 00 00 00 00 00", field: "00 00 00 00 00 00 00 80"),
        .key("UInt", "1", UInt(1), key: "00 00 00 00 00 00 00 01", field: "01 00 00 00 00 00 00 00"),
        .key(
            "UInt128", "258", UInt128(258),
            key: "00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 02",
            field: "02 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00"),
        .key("Float", "-infinity", -Float.infinity, key: "00 7F FF FF", field: "00 00 80 FF"),
        .key("Float", "-1.0", Float(-1), key: "40 7F FF FF", field: "00 00 80 BF"),
        .key("Float", "0.0", Float(0), key: "80 00 00 00", field: "00 00 00 00"),
        .key("Float", "1.0", Float(1), key: "BF 80 00 00", field: "00 00 80 3F"),
        .key("Float", "NaN", Float.nan, key: "FF C0 00 00", field: "00 00 C0 7F"),
        .key("Double", "-infinity", -Double.infinity, key: "00 0F FF FF FF FF FF FF", field: "00 00 00 00 00 00 F0 FF"),
        .key("Double", "-1.0", -1.0, key: "40 0F FF FF FF FF FF FF", field: "00 00 00 00 00 00 F0 BF"),
        .key("Double", "-0.0", -0.0, key: "80 00 00 00 00 00 00 00", field: "00 00 00 00 00 00 00 80"),
        .key("Double", "0.0", 0.0, key: "80 00 00 00 00 00 00 00", field: "00 00 00 00 00 00 00 00"),
        .key("Double", "1.0", 1.0, key: "BF F0 00 00 00 00 00 00", field: "00 00 00 00 00 00 F0 3F"),
        .key("Double", "infinity", Double.infinity, key: "FF F0 00 00 00 00 00 00", field: "00 00 00 00 00 00 F0 7F"),
        .key("Double", "NaN", Double.nan, key: "FF F8 00 00 00 00 00 00", field: "00 00 00 00 00 00 F8 7F"),
        .key("Bool", "false", false, key: "00", field: "00"),
        .key("Bool", "true", true, key: "01", field: "01"),
        .key("String", "`\"\"`", "", key: "00", field: "00"),
        .key("String", "`\"a\"`", "a", key: "61 00", field: "01 61"),
        .key("String", "`\"a\\0\"`", "a\0", key: "61 01 01 00", field: "02 61 00"),
        .key("String", "`\"a\\u{1}\"`", "a\u{1}", key: "61 01 02 00", field: "02 61 01"),
        .key("String", "`\"é\"` (U+00E9)", "\u{E9}", key: "C3 A9 00", field: "02 C3 A9"),
        .key(
            "String", "128 × `\"x\"`", String(repeating: "x", count: 128),
            key: String(repeating: "78 ", count: 128) + "00",
            field: "80 01" + String(repeating: " 78", count: 128)),
        .key("Data", "none", Data(), key: "00", field: "00"),
        .key("Data", "00 01 02 FF", Data([0, 1, 2, 255]), key: "01 01 01 02 02 FF 00", field: "04 00 01 02 FF"),
        .key("[UInt8]", "00 01 02 FF", [UInt8]([0, 1, 2, 255]), key: "01 01 01 02 02 FF 00", field: "04 00 01 02 FF"),
        .key(
            "UUID", "FF000000-0000-0000-0000-000000000001",
            UUID(uuid: (255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
            key: "FF 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01",
            field: "FF 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01"),
        .key(
            "Date", "2001-01-01 00:00:01 UTC", Date(timeIntervalSinceReferenceDate: 1),
            key: "BF F0 00 00 00 00 00 00",
            field: "00 00 00 00 00 00 F0 3F"),
        .key(
            "Date", "at infinity", Date(timeIntervalSinceReferenceDate: .infinity),
            key: "FF F0 00 00 00 00 00 00",
            field: "00 00 00 00 00 00 F0 7F"),
        .key("Int8?", "nil", Int8?.none, key: "00", field: "00"),
        .key("Int8?", "1", Int8?.some(1), key: "01 81", field: "01 01"),
        .key("String??", "some nil", String??.some(nil), key: "01 00", field: "01 00"),
        .key("enum: String", "case `low`", Level.low, key: "6C 6F 77 00", field: "03 6C 6F 77"),
        .key("enum: Int8", "case `minusOne` = -1", Sign.minusOne, key: "7F", field: "FF"),
        .key("Tuple<String, UInt8>", "(`\"a\"`, 255)", Tuple("a", UInt8.max), key: "61 00 FF", field: "01 61 FF"),
        .key(
            "Tuple<Bool, Tuple<Int8, Bool>>", "(true, (0, false))", Tuple(true, Tuple(Int8(0), false)),
            key: "01 80 00",
            field: "01 00 00"),
        .key("Descending<Int8>", "1", Descending(Int8(1)), key: "7E", field: "01"),
        .key("Descending<String>", "`\"a\"`", Descending("a"), key: "9E FF", field: "01 61"),
        .key(
            "Decimal", "-12.50", Decimal(sign: .minus, exponent: -2, significand: 1250), key: "01 7F FD F2 CC FF",
            field: "05 2D 31 32 2E 35"),
        .key("Decimal", "0", Decimal(0), key: "02", field: "01 30"),
        .key(
            "Decimal", "0.01", Decimal(sign: .plus, exponent: -2, significand: 1), key: "03 7F FF 0B 00",
            field: "04 30 2E 30 31"),
        .key("Decimal", "1", Decimal(1), key: "03 80 01 0B 00", field: "01 31"),
        .key("Decimal", "NaN", Decimal.nan, key: "04", field: "03 4E 61 4E"),
        .field("URL", "a:b", URL(string: "a:b"), field: "03 61 3A 62 00"),
        .field(
            "URL", "c, relative to a:/", URL(string: "c", relativeTo: URL(string: "a:/")),
            field: "01 63 01 03 61 3A 2F"),
        .field("[Int16]", "[1, -1]", [Int16(1), -1], field: "02 01 00 FF FF"),
        .field("[String]", "[`\"a\"`, `\"\"`]", ["a", ""], field: "02 01 61 00"),
        .field("Set<Int16>", "{256, 1}", Set<Int16>([256, 1]), field: "02 00 01 01 00"),
        .field(
            "[String: Bool]", "[`\"b\"`: true, `\"a\"`: false]", ["b": true, "a": false],
            field: "02 01 61 00 01 62 01"),
        .field("Codable", "`{\"b\": 1}`", fieldCoding(of: Legacy.self), Legacy(b: 1), field: "07 7B 22 62 22 3A 31 7D"),
    ]
}
