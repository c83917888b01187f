// The decoder of rows as values of a Codable type.

import CSQLite
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A decoder whose keys are the names of columns. Nested values are read from JSON.
struct SQLRowDecoder: Decoder {
    let names: ColumnNames
    let values: [SQLValue]
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ row: borrowing StatementRow) {
        names = row.columns
        values = row.values
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw mismatch([Any].self, [], "A row is no list: use a tuple.")
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        guard let value = values.first, values.count == 1 else {
            throw mismatch(Any.self, [], "The row has \(values.count) columns, and one value is decoded.")
        }
        return ValueContainer(value: value, codingPath: [])
    }

    private func mismatch(_ type: Any.Type, _ path: [any CodingKey], _ text: String) -> DecodingError {
        .typeMismatch(type, DecodingError.Context(codingPath: path, debugDescription: text))
    }

    /// Decodes the JSON of a nested value. Moments have the form of dumps.
    static func json<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self), let seconds = DateText.seconds(text) {
                return Date(timeIntervalSinceReferenceDate: seconds)
            }
            return Date(timeIntervalSinceReferenceDate: try container.decode(Double.self))
        }
        return try decoder.decode(type, from: Data(text.utf8))
    }

    /// Decodes a value of a column.
    static func decode<Value: Decodable>(
        _ type: Value.Type, _ value: SQLValue, _ path: [any CodingKey]
    ) throws -> Value {
        if let column = type as? any SQLColumn.Type {
            if let result = column.init(sqlValue: value) as? Value { return result }
            throw DecodingError.typeMismatch(
                type, DecodingError.Context(codingPath: path, debugDescription: "\(value) is not a value of \(type)."))
        }
        // A raw-value type asks for its raw value; others are in JSON.
        do {
            return try Value(from: ValueDecoder(value: value, codingPath: path))
        } catch is NeedsParts {
            guard case .text(let text) = value else {
                throw DecodingError.typeMismatch(
                    type, DecodingError.Context(codingPath: path, debugDescription: "\(value) is not JSON."))
            }
            return try json(type, text)
        }
    }
}

/// The value has parts: it is in JSON.
private struct NeedsParts: Error {}

private struct ValueDecoder: Decoder {
    let value: SQLValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw NeedsParts() }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NeedsParts() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        ValueContainer(value: value, codingPath: codingPath)
    }
}

private struct ValueContainer: SingleValueDecodingContainer {
    let value: SQLValue
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { value == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try SQLRowDecoder.decode(type, value, codingPath)
    }
}

private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: SQLRowDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { decoder.names.names.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { decoder.names.ordinal(of: key.stringValue) != nil }

    private func value(_ key: Key) throws -> SQLValue {
        guard let ordinal = decoder.names.ordinal(of: key.stringValue) else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: [],
                    debugDescription:
                        "No column \(key.stringValue); there are \(decoder.names.names.joined(separator: ", ")).")
            )
        }
        return decoder.values[ordinal]
    }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try SQLRowDecoder.decode(type, value(key), [key])
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        throw unsupported(key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw unsupported(key) }

    func superDecoder() throws -> any Decoder { decoder }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        ValueDecoder(value: try value(key), codingPath: [key])
    }

    private func unsupported(_ key: Key) -> DecodingError {
        .typeMismatch(
            Any.self,
            DecodingError.Context(codingPath: [key], debugDescription: "Decode a type with the parts instead."))
    }
}
