// The keys of sealed values: a current key, and old keys by their numbers.
//
//     sealing key     = HKDF-SHA256(key, salt: none, info: "Trove sealing 1" 0x00 label)       32 bytes
//     fingerprint key = HKDF-SHA256(key, salt: none, info: "Trove fingerprint 1" 0x00 label)   32 bytes
//
// Stored values depend on these texts: they never change.

#if canImport(CryptoKit) || Encryption
import Trove

#if canImport(CryptoKit)
import CryptoKit
import Foundation
#else
import Crypto
import FoundationEssentials
#endif

/// The keys of sealed values: values are sealed with the current key, and opened with the key of their number.
///
/// A key is 32 random bytes, such as from the system's keychain or a secret of the server. It is not a password. A
/// sealing key and a key of fingerprints are derived from it by HKDF-SHA256 with a label.
///
/// ```swift
/// var keys = try SealingKeys(oldKey, number: 1)
/// try keys.rotate(to: newKey, number: 2)      // seals with 2, opens 1 and 2
/// ```
///
/// The number of a key is stored with each value. A number is never given to another key.
///
/// A key should seal less than 2³² values: then two random nonces are equal with a probability of less than 2⁻³².
public struct SealingKeys: Sendable {
    /// The size of a key in bytes.
    public static let keySize = 32

    /// The number of the key that seals.
    public private(set) var current: UInt8

    /// What is derived from a key.
    struct Derived: Sendable {
        var sealing: SymmetricKey
        var fingerprint: SymmetricKey
    }

    /// Text that separates these keys from those of another use of the same bytes.
    private let label: String
    private(set) var derived: [UInt8: Derived] = [:]
    /// What is derived from the current key.
    private(set) var currentKey: Derived

    /// Creates keys with a single key, which is the current key.
    ///
    /// - Parameters:
    ///   - key: 32 random bytes.
    ///   - number: The number of the key.
    ///   - label: A text that separates these keys from those of another use of the same bytes, such as another store.
    ///     It is needed again to open the values.
    /// - Throws: ``SealingError/wrongKeySize(number:size:)``.
    public init(_ key: some ContiguousBytes, number: UInt8 = 1, label: String = "") throws(SealingError) {
        current = number
        self.label = label
        currentKey = try Self.derive(from: key, number: number, label: label)
        derived[number] = currentKey
    }

    /// Adds an old key, so that values sealed with it open. The current key does not change.
    ///
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - number: The number of the key.
    /// - Throws: ``SealingError/wrongKeySize(number:size:)``, ``SealingError/keyNumberTaken(_:)``.
    public mutating func add(_ key: some ContiguousBytes, number: UInt8) throws(SealingError) {
        guard derived[number] == nil else { throw .keyNumberTaken(number) }
        derived[number] = try Self.derive(from: key, number: number, label: label)
    }

    /// Adds a key, and makes it the current key.
    ///
    /// - Parameters:
    ///   - key: 32 random bytes.
    ///   - number: The number of the key.
    /// - Throws: ``SealingError/wrongKeySize(number:size:)``, ``SealingError/keyNumberTaken(_:)``.
    public mutating func rotate(to key: some ContiguousBytes, number: UInt8) throws(SealingError) {
        guard derived[number] == nil else { throw .keyNumberTaken(number) }
        currentKey = try Self.derive(from: key, number: number, label: label)
        derived[number] = currentKey
        current = number
    }

    /// The numbers of all keys, ascending.
    public var numbers: [UInt8] { derived.keys.sorted() }

    private static func derive(
        from key: some ContiguousBytes, number: UInt8, label: String
    ) throws(SealingError) -> Derived {
        let key = SymmetricKey(data: key)
        guard key.bitCount == keySize * 8 else { throw .wrongKeySize(number: number, size: key.bitCount / 8) }
        func derived(for use: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, info: Array(use.utf8) + [0] + Array(label.utf8), outputByteCount: keySize)
        }
        return Derived(sealing: derived(for: "Trove sealing 1"), fingerprint: derived(for: "Trove fingerprint 1"))
    }
}

extension SealingKeys: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The numbers of the keys. The keys themselves are not shown.
    public var description: String {
        "sealing keys \(numbers.map(String.init).joined(separator: ", ")), current \(current)"
    }

    /// The numbers of the keys.
    public var debugDescription: String { description }

    /// No children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
