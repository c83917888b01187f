// The key of a stored record or index entry, in errors and findings.

import LMDB
import TroveCoding

/// The key of a stored record: its bytes, and the names and types of its components.
///
/// Its description is the key as a person writes it:
///
///     id: 19999
///     (lastName: "Dallas", firstName: "Korben")
///
/// ``StoredKeyRange`` and `trove dump --from` read the same text. A key that is damaged, or whose layout is not known,
/// is described in hexadecimal. ``value(as:)`` returns the key as the type that the record type declares.
public struct StoredKey: Sendable {
    /// The name of the record type, as in the error or the finding.
    public let type: String
    /// The bytes of the key.
    public let bytes: [UInt8]
    /// The names and types of the components, such as `(lastName:String,firstName:String)`; nil if they are not known.
    /// `==` ignores it.
    public let layout: String?

    /// Creates a key from its bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the key.
    ///   - type: The name of the record type.
    ///   - layout: The names and types of the components, such as `(id:Int64)`.
    public init(_ bytes: [UInt8], of type: String, layout: String? = nil) {
        self.type = type
        self.bytes = bytes
        self.layout = layout
    }
}

extension StoredKey: CustomStringConvertible {
    /// The key as a person writes it; in hexadecimal if it is damaged, or if its layout is not known.
    public var description: String { text ?? hexadecimal(bytes) }

    /// The values of the components; nil if the key is damaged, or if its layout is not known.
    var componentTexts: [String]? {
        do throws(CodingError) {
            return try layout.flatMap { (layout) throws(CodingError) in
                try RecordLayout(layout + "{}").componentTexts(bytes)
            }
        } catch {
            return nil
        }
    }

    /// The components by name; nil if the key is damaged, or if its layout is not known.
    package var components: StoredFields? {
        do throws(CodingError) {
            return try layout.flatMap { (layout) throws(CodingError) in
                let layout = try RecordLayout(layout + "{}")
                return try bytes.withRawSpan { (bytes) throws(CodingError) in try layout.readKey(bytes) }
            }
        } catch {
            return nil
        }
    }

    /// The key as a person writes it; nil if it is damaged, or if its layout is not known.
    var text: String? {
        do throws(CodingError) {
            return try layout.flatMap { (layout) throws(CodingError) in try RecordLayout(layout + "{}").keyText(bytes) }
        } catch {
            return nil
        }
    }
}

extension StoredKey: Hashable {
    /// Returns whether two keys have the same type and the same bytes.
    public static func == (left: StoredKey, right: StoredKey) -> Bool {
        left.bytes == right.bytes && left.type == right.type
    }

    /// Hashes the type and the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(bytes)
    }
}

extension StoredKey: Codable {
    private enum CodingKeys: String, CodingKey { case type, bytes, layout, text }

    /// Reads the type, the bytes and the layout.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode([UInt8].self, forKey: .bytes), of: try container.decode(String.self, forKey: .type),
            layout: try container.decodeIfPresent(String.self, forKey: .layout))
    }

    /// Writes the type, the bytes and the layout, and the description as `text`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        try container.encode(bytes, forKey: .bytes)
        try container.encodeIfPresent(layout, forKey: .layout)
        try container.encode(description, forKey: .text)
    }
}

/// Returns the first 64 bytes of a key in hexadecimal.
private func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = bytes.prefix(64).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return digits.joined() + (bytes.count > 64 ? "…" : "")
}
