// The text of a sealed value, before it is encrypted.
//
//     text   = layout(4) value
//     layout = the hash of the value's layout, little-endian; `json<name>` for JSON
//     value  = as a field of a record

#if canImport(CryptoKit) || Encryption
import Synchronization
import Trove

/// The coding of the text of a sealed value.
enum SealedText {
    /// The number of bytes in front of the value.
    static let headSize = 4

    /// The reason why a text is not a value.
    enum Failure: Error {
        case otherLayout
        case undecodable
    }

    /// Returns the text of a value.
    ///
    /// - Throws: `CodingError` if the value has no bytes. Its text may contain parts of the value.
    static func bytes<Value: Codable & Sendable>(of value: Value) throws(CodingError) -> [UInt8] {
        guard let stored = Value.self as? any RecordValue.Type else {
            return try bytes(of: value, as: JSONField<Value>.self)
        }
        return try bytes(of: value, stored)
    }

    /// Returns the value of a text.
    static func value<Value: Codable & Sendable>(
        of type: Value.Type, from text: [UInt8]
    ) throws(Failure) -> Value {
        guard let stored = Value.self as? any RecordValue.Type else {
            return try value(as: JSONField<Value>.self, from: text)
        }
        return try value(of: type, stored, from: text)
    }

    // MARK: Values with a coding of their own

    private static func bytes<Value, Stored: RecordValue>(
        of value: Value, _ type: Stored.Type
    ) throws(CodingError) -> [UInt8] {
        // The types are the same: the compiler does not know it.
        guard let stored = value as? Stored else { throw CodingError(.unencodable("\(Value.self) is not \(type)")) }
        return try bytes(of: stored, as: DirectField<Stored>.self)
    }

    private static func value<Value, Stored: RecordValue>(
        of type: Value.Type, _ stored: Stored.Type, from text: [UInt8]
    ) throws(Failure) -> Value {
        // The types are the same, as above.
        guard let result = try value(as: DirectField<Stored>.self, from: text) as? Value else { throw .undecodable }
        return result
    }

    // MARK: Codings

    private static func bytes<Coding: FieldCoding>(
        of value: Coding.Value, as coding: Coding.Type
    ) throws(CodingError) -> [UInt8] {
        let layout = LayoutHashes.shared.hash(of: coding)
        if layout.isRecursive { try ValueWriter.checkDepth { coding.encode(value, into: &$0) } }
        let size = try coding.encodedSize(of: value)
        return try ValueWriter.bytes(count: headSize + size) { writer in
            writer.writeInteger(layout.hash)
            coding.encode(value, into: &writer)
        }
    }

    private static func value<Coding: FieldCoding>(
        as coding: Coding.Type, from text: [UInt8]
    ) throws(Failure) -> Coding.Value {
        let layout = LayoutHashes.shared.hash(of: coding)
        do throws(CodingError) {
            let value = try ValueReader.read(unsafe text.span.bytes) { (reader) throws(CodingError) -> Coding.Value? in
                guard try reader.readInteger(UInt32.self) == layout.hash else {
                    try reader.skip(reader.remaining)
                    return nil
                }
                return try coding.decode(from: &reader)
            }
            if let value { return value }
        } catch {
            // The error is not passed on: it may contain parts of the value.
            throw .undecodable
        }
        throw .otherLayout
    }
}

/// The hashes of layouts, by the type of their coding. To describe a layout takes longer than to seal a short value.
final class LayoutHashes: Sendable {
    /// The hash of a layout, and whether values of it can be nested to any depth.
    struct Entry: Sendable {
        var hash: UInt32
        var isRecursive: Bool
    }

    static let shared = LayoutHashes()

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// Returns the hash of a coding's layout.
    func hash(of coding: (some FieldCoding).Type) -> Entry {
        if let known = entries.withLock({ $0[ObjectIdentifier(coding)] }) { return known }
        var layout = LayoutBuilder()
        coding.describe(in: &layout)
        let entry = Entry(hash: SDBM.hash32(layout.text), isRecursive: layout.text.contains("^"))
        entries.withLock { $0[ObjectIdentifier(coding)] = entry }
        return entry
    }
}
#endif
