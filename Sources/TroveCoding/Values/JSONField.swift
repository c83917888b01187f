// JSON, the coding of Codable types without any other coding.
//
//     value = length JSON      UTF-8, keys sorted; infinities and NaN as the strings "inf", "-inf", "nan";
//                              nested at most as deeply as other values, so that no bytes exhaust the stack

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The coding of a `Codable` type that is not a ``RecordValue``: the length, then its JSON.
///
/// It is slower and larger than the codings of this module, and the size takes a second encoding. Declare
/// `@RecordValue` if the type is yours.
///
/// The layout holds only the type's bare name: it does not change with the properties, and types of the same name share
/// it. (The full name is not an option: the full name of a private type differs from build to build.)
public enum JSONField<Value: Codable & Sendable>: FieldCoding {
    /// `json<bare name of the type>`.
    public static func describe(in layout: inout LayoutBuilder) {
        layout.append("json<")
        layout.append(name: String(describing: Value.self))
        layout.append(">")
    }

    /// The size depends on the value.
    public static var fixedSize: Int? { nil }

    /// The size of the JSON and of its length.
    ///
    /// - Throws: `unencodable` if the value's own `encode(to:)` throws, `tooDeep` if its JSON is nested too deeply.
    public static func encodedSize(of value: Value) throws(CodingError) -> Int {
        let count = try json(of: value).count
        return ValueWriter.size(ofLength: count) + count
    }

    /// Writes the length, then the JSON.
    public static func encode(_ value: Value, into writer: inout ValueWriter) {
        do {
            let json = try json(of: value)
            writer.writeLength(json.count)
            unsafe json.withUnsafeBytes { unsafe writer.writeBytes($0) }
        } catch {
            writer.fail(error)
        }
    }

    /// Reads the JSON.
    ///
    /// - Throws: `malformed` if the bytes are not UTF-8; `undecodable` with the message of the decoder, or of the
    ///   value's own `init(from:)`.
    public static func decode(from reader: inout ValueReader) throws(CodingError) -> Value {
        let start = reader.offset
        let length = try reader.readLength()
        let json = try unsafe reader.withUnsafeBytes(count: length) { bytes in unsafe Data(bytes) }
        guard let levels = levels(of: json) else { throw reader.malformed("JSON in UTF-8", at: start) }
        guard levels <= ValueWriter.depthLimit else {
            throw CodingError(.tooDeep(limit: ValueWriter.depthLimit), at: start)
        }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            return try decoder.decode(Value.self, from: json)
        } catch {
            throw CodingError(
                .undecodable(type: String(describing: Value.self), reason: text(of: error)), at: start)
        }
    }

    /// Returns the message of a decoder, after the path of the value in the JSON.
    private static func text(of error: any Error) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, let context)?: return path(context.codingPath + [key]) + " is missing"
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .dataCorrupted(let context)?:
            let message =
                context.debugDescription.last == "."
                ? context.debugDescription.dropLast() : context.debugDescription[...]
            let path = path(context.codingPath)
            return path.isEmpty ? String(message) : path + ": " + message
        default: return "\(error)"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }

    /// Moves past the JSON.
    public static func skip(in reader: inout ValueReader) throws(CodingError) {
        try reader.skip(reader.readLength())
    }

    private static func json(of value: Value) throws(CodingError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let json: Data
        do {
            json = try encoder.encode(value)
        } catch {
            throw CodingError(.unencodable("\(Value.self) as JSON: \(error)"))
        }
        if let levels = levels(of: json), levels <= ValueWriter.depthLimit { return json }
        throw CodingError(.tooDeep(limit: ValueWriter.depthLimit))
    }

    /// Returns the depth of nested brackets; nil if a decoder would not take the bytes for UTF-8.
    private static func levels(of json: Data) -> Int? {
        guard let first = json.first, first < 0x80 else { return nil }
        var (levels, deepest) = (0, 0)
        var (isInString, isEscaped) = (false, false)
        for byte in json {
            if byte == 0 { return nil }
            if isInString {
                if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                levels += 1
                deepest = max(deepest, levels)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): levels -= 1
            default: break
            }
        }
        return deepest
    }
}
