// Sealing, opening and sealing again.

#if canImport(CryptoKit) || Encryption
import Trove

#if canImport(CryptoKit)
import CryptoKit
import Foundation
#else
import Crypto
import FoundationEssentials
#endif

extension SealingKeys {
    /// Seals a value for a property of a record, with the current key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property that the value is for. The value opens nowhere else.
    ///   - key: The key of the record that the value is for.
    /// - Throws: ``/Trove/StoreError`` if the key path is not a stored property;
    ///   ``SealingError/unencodable(type:place:)``.
    /// - Complexity: O(n) in the size of the value.
    public func seal<Record: IndexKeyRecord, Value>(
        _ value: Value, in property: KeyPath<Record, some SealedProperty<Value>>, of key: Record.IndexKey
    ) throws -> Sealed<Value> {
        try seal(value, at: SealedPlace(property, of: key))
    }

    /// Opens a value of a property of a record.
    ///
    /// - Parameters:
    ///   - sealed: The sealed value.
    ///   - property: The property that has the value.
    ///   - key: The key of the record that has the value.
    /// - Throws: ``/Trove/StoreError`` if the key path is not a stored property; ``SealingError`` if the value does not
    ///   open.
    /// - Complexity: O(n) in the size of the value.
    public func open<Record: IndexKeyRecord, Value>(
        _ sealed: Sealed<Value>, in property: KeyPath<Record, some SealedProperty<Value>>, of key: Record.IndexKey
    ) throws -> Value {
        try open(sealed, at: SealedPlace(property, of: key))
    }

    /// Returns the same value sealed with the current key; nil if it is sealed with the current key already.
    ///
    /// - Parameters:
    ///   - sealed: The sealed value.
    ///   - property: The property that has the value.
    ///   - key: The key of the record that has the value.
    /// - Throws: As ``open(_:in:of:)`` does.
    /// - Complexity: O(n) in the size of the value; O(1) if nil is returned.
    public func resealed<Record: IndexKeyRecord, Value>(
        _ sealed: Sealed<Value>, in property: KeyPath<Record, some SealedProperty<Value>>, of key: Record.IndexKey
    ) throws -> Sealed<Value>? {
        if sealed.keyNumber == current { return nil }
        let place = try SealedPlace(property, of: key)
        return Sealed(opaqueBytes: try sealText(openText(sealed.opaqueBytes, at: place), at: place))
    }
}

extension SealingKeys {
    /// Seals a value for a place, with the current key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - place: The place. The value opens nowhere else.
    /// - Throws: ``SealingError/unencodable(type:place:)``.
    /// - Complexity: O(n) in the size of the value.
    public func seal<Value>(_ value: Value, at place: SealedPlace) throws(SealingError) -> Sealed<Value> {
        let text: [UInt8]
        do throws(CodingError) {
            text = try SealedText.bytes(of: value)
        } catch {
            throw .unencodable(type: "\(Value.self)", place: place)
        }
        return Sealed(opaqueBytes: try sealText(text, at: place))
    }

    /// Opens a value of a place.
    ///
    /// - Parameters:
    ///   - sealed: The sealed value.
    ///   - place: The place that the value was sealed for.
    /// - Throws: ``SealingError`` if the value does not open.
    /// - Complexity: O(n) in the size of the value.
    public func open<Value>(_ sealed: Sealed<Value>, at place: SealedPlace) throws(SealingError) -> Value {
        let text = try openText(sealed.opaqueBytes, at: place)
        do throws(SealedText.Failure) {
            return try SealedText.value(of: Value.self, from: text)
        } catch {
            switch error {
            case .otherLayout: throw .otherLayout(type: "\(Value.self)", place: place)
            case .undecodable: throw .undecodable(type: "\(Value.self)", place: place)
            }
        }
    }

    /// The size in bytes of what encryption adds: the number of the key, the nonce and the tag.
    private static let overhead = 1 + 12 + 16

    /// Encrypts a text with the current key.
    private func sealText(_ text: [UInt8], at place: SealedPlace) throws(SealingError) -> [UInt8] {
        do {
            let box = try AES.GCM.seal(
                text, using: currentKey.sealing,
                authenticating: place.associatedData(number: current, name: place.property))
            // Nil only for a nonce of another size.
            guard let combined = box.combined else { throw SealingError.unencodable(type: "bytes", place: place) }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(1 + combined.count)
            bytes.append(current)
            // At once: as a sequence, a `Data` is copied byte by byte.
            unsafe combined.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
            return bytes
        } catch {
            // Neither the key nor the nonce has a wrong size, so the text is larger than the cipher takes.
            throw .unencodable(type: "bytes", place: place)
        }
    }

    /// Decrypts a text with the key of its number. The old names of the property are tried after its name.
    private func openText(_ sealed: [UInt8], at place: SealedPlace) throws(SealingError) -> [UInt8] {
        guard let number = sealed.first, sealed.count >= Self.overhead + SealedText.headSize else {
            throw .tooShort(size: sealed.count, place: place)
        }
        guard let key = derived[number]?.sealing else { throw .unknownKey(number: number, place: place) }
        if let text = Self.text(of: sealed, place.associatedData(number: number, name: place.property), key) {
            return text
        }
        for name in place.oldNames {
            if let text = Self.text(of: sealed, place.associatedData(number: number, name: name), key) { return text }
        }
        throw .notAuthentic(place: place)
    }

    /// Decrypts a text; returns nil if it is not authentic, which is the only possible error.
    private static func text(of sealed: [UInt8], _ associatedData: [UInt8], _ key: SymmetricKey) -> [UInt8]? {
        do {
            let box = try AES.GCM.SealedBox(combined: sealed.dropFirst())
            let text = try AES.GCM.open(box, using: key, authenticating: associatedData)
            return unsafe text.withUnsafeBytes { unsafe Array($0) }
        } catch {
            return nil
        }
    }
}
#endif
