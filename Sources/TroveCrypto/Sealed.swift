// An encrypted value as a property of a record.
//
//     sealed     = key number(1) nonce(12) ciphertext tag(16)
//     ciphertext = as many bytes as the sealed text (SealedText.swift)

#if canImport(CryptoKit) || Encryption
import Trove

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A property whose value is stored encrypted.
///
/// The property holds the encrypted bytes. They are decrypted when `open(_:with:)` of the record is called, and at no
/// other time: reading a record, or a query of other properties, needs no key.
///
/// ```swift
/// @IndexKeyRecord("id")
/// struct Person {
///     let id: Int
///     var name: String
///     var diary: Sealed<String>?
/// }
///
/// var person = Person(id: 1, name: "Korben")
/// try person.seal("Big badaboom", in: \.diary, with: keys)
/// let diary = try person.open(\.diary, with: keys)
/// ```
///
/// The cipher is AES-256-GCM with a random nonce. A value is bound to the record type, the property and the key of the
/// record: copied elsewhere, it does not open. The record type is bound by its `keyPrefix`, and the property by its
/// stored name. A value that was sealed under an old name of the property, declared with `@Renamed`, still opens. The
/// version of a record is not bound: an older value of the same property can be put back.
///
/// The text that is encrypted has the bytes of ``/TroveCoding/RecordValue`` if the value's type is one, and JSON
/// otherwise. It begins with a hash of the layout, so that a value of a changed type is reported and not misread.
///
/// A sealed value has 33 bytes more than the fields of its value. It cannot be a key component, and cannot be indexed,
/// sorted by or searched. ``SealingKeys/fingerprint(of:in:)`` makes a value that can be looked up.
///
/// `Codable`, `description` and dumps have the encrypted bytes, or their number. None of them has the value.
public struct Sealed<Value: Codable & Sendable>: OpaqueValue, Hashable {
    /// The encrypted bytes, as they are stored.
    public let opaqueBytes: [UInt8]

    /// Creates a sealed value from encrypted bytes, such as those of a dump. They are checked when the value is opened.
    public init(opaqueBytes: [UInt8]) { self.opaqueBytes = opaqueBytes }

    /// The number of the key that the value was sealed with; nil if there are no bytes.
    public var keyNumber: UInt8? { opaqueBytes.first }
}

extension Sealed: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of bytes and the number of the key.
    public var description: String {
        "sealed value of \(opaqueBytes.count) bytes" + (keyNumber.map { ", key \($0)" } ?? "")
    }

    /// The number of bytes and the number of the key.
    public var debugDescription: String { description }

    /// No children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Sealed: Codable {
    /// Reads the encrypted bytes.
    public init(from decoder: any Decoder) throws {
        self.init(opaqueBytes: [UInt8](try decoder.singleValueContainer().decode(Data.self)))
    }

    /// Writes the encrypted bytes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(opaqueBytes))
    }
}

/// The type of a property with sealed values: a ``Sealed`` or an optional of it. Do not add conformances of your own.
public protocol SealedProperty<SealedValue>: Sendable {
    /// The type of the values before they are sealed.
    associatedtype SealedValue: Codable & Sendable
}

extension Sealed: SealedProperty {
    /// The type of the values before they are sealed.
    public typealias SealedValue = Value
}

extension Optional: SealedProperty where Wrapped: SealedProperty {
    /// The type of the values before they are sealed.
    public typealias SealedValue = Wrapped.SealedValue
}
#endif
