// The fingerprint of a value: it can be indexed and looked up, while the value itself is sealed.
//
//     fingerprint = the first 16 bytes of HMAC-SHA256(fingerprint key, number(1) type(4) length name value)
//
// as a big-endian UInt128. The value has its bytes as a field. Stored values depend on it: it never changes.

#if canImport(CryptoKit) || Encryption
import Trove

#if canImport(CryptoKit)
import CryptoKit
import Foundation
#else
import Crypto
import FoundationEssentials
#endif

/// A keyed hash of a value, for equality lookups of a sealed property.
///
/// ```swift
/// @IndexKeyRecord("id")
/// struct User {
///     #Index<User>(\.emailPrint)
///     let id: Int
///     var email: Sealed<String>
///     var emailPrint: Fingerprint
/// }
///
/// let print = try keys.fingerprint(of: "korben@example.com", in: \User.email)
/// let users = try User.filter(\.emailPrint == print).resolve(in: store)
/// ```
///
/// Without the key, a fingerprint does not show its value, and candidates cannot be tried. But equal values of a
/// property have equal fingerprints: the file shows which records share a value, and how many do. Two properties have
/// different fingerprints of the same value.
public struct Fingerprint: RawRepresentable, Hashable, Codable, Sendable, KeyComponent, RecordValue {
    /// The first 16 bytes of the HMAC.
    public var rawValue: UInt128

    /// Creates a fingerprint from its bytes as a number.
    public init(rawValue: UInt128) { self.rawValue = rawValue }
}

extension SealingKeys {
    /// Returns the fingerprint of a value, by the current key.
    ///
    /// Strings are hashed as their UTF-8: fold letter case and normalize before. After a rotation, values have other
    /// fingerprints: see ``fingerprints(of:in:)``.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The sealed property that has the value.
    /// - Throws: ``/Trove/StoreError`` if the key path is not a stored property; ``/TroveCoding/CodingError`` if the
    ///   value cannot be encoded.
    /// - Complexity: O(n) in the size of the value.
    public func fingerprint<Record: IndexKeyRecord, Value: RecordValue>(
        of value: Value, in property: KeyPath<Record, some SealedProperty<Value>>
    ) throws -> Fingerprint {
        try fingerprint(of: value, in: property, number: current, currentKey)
    }

    /// Returns the fingerprints of a value by all keys, the current key first.
    ///
    /// While records are sealed again with a new key, look up with `.within(\.emailPrint, fingerprints)`.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The sealed property that has the value.
    /// - Throws: As ``fingerprint(of:in:)`` does.
    /// - Complexity: O(n · k) in the size of the value and the number of keys.
    public func fingerprints<Record: IndexKeyRecord, Value: RecordValue>(
        of value: Value, in property: KeyPath<Record, some SealedProperty<Value>>
    ) throws -> [Fingerprint] {
        let keys = derived.sorted { $0.key == current || $1.key != current && $0.key < $1.key }
        return try keys.map { try fingerprint(of: value, in: property, number: $0.key, $0.value) }
    }

    private func fingerprint<Record: IndexKeyRecord, Value: RecordValue>(
        of value: Value, in property: KeyPath<Record, some SealedProperty<Value>>, number: UInt8,
        _ key: Derived
    ) throws -> Fingerprint {
        let name = try Record.storedNames(of: property).name
        let text = SealedPlace.binding(
            number: number, keyPrefix: Record.keyPrefix, name: name, followedBy: try ValueWriter.bytes(of: value))
        let code = HMAC<SHA256>.authenticationCode(for: text, using: key.fingerprint)
        return Fingerprint(rawValue: code.prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) })
    }
}
#endif
