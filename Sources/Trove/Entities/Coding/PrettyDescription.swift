// Entities as text, for tests and logs.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONEncoder {
    /// A new encoder of readable text: sorted keys, a line each, and slashes as they are.
    public static var prettyPrinting: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

extension EntityModelProtocol where Self: Encodable {
    /// Returns the entity with its loaded relations as text.
    ///
    /// - Parameter encoder: The encoder, with its ``RelationEncodingStrategy``.
    /// - Throws: `EncodingError`.
    public func prettyDescription(with encoder: JSONEncoder = .prettyPrinting) throws -> String {
        String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension Array where Element: EntityModelProtocol & Encodable {
    /// Returns the entities with their loaded relations as text.
    ///
    /// - Parameter encoder: The encoder, with its ``RelationEncodingStrategy``.
    /// - Throws: `EncodingError`.
    public func prettyDescription(with encoder: JSONEncoder = .prettyPrinting) throws -> String {
        String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
