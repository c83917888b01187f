// Sealing and opening the properties of a record.

#if canImport(CryptoKit) || Encryption
import Trove

extension IndexKeyRecord {
    /// Seals a value into a property, with the current key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - keys: The keys.
    /// - Throws: ``/Trove/StoreError`` if the key path is not a stored property;
    ///   ``SealingError/unencodable(type:place:)``.
    /// - Complexity: O(n) in the size of the value.
    public mutating func seal<Value>(
        _ value: Value, in property: WritableKeyPath<Self, Sealed<Value>>, with keys: SealingKeys
    ) throws {
        self[keyPath: property] = try keys.seal(value, in: property, of: indexKey)
    }

    /// Seals a value into an optional property, with the current key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - property: The property.
    ///   - keys: The keys.
    /// - Throws: ``/Trove/StoreError`` if the key path is not a stored property;
    ///   ``SealingError/unencodable(type:place:)``.
    /// - Complexity: O(n) in the size of the value.
    public mutating func seal<Value>(
        _ value: Value, in property: WritableKeyPath<Self, Sealed<Value>?>, with keys: SealingKeys
    ) throws {
        self[keyPath: property] = try keys.seal(value, in: property, of: indexKey)
    }

    /// Opens the value of a property.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - keys: The keys.
    /// - Throws: ``/Trove/StoreError`` if the key path is not a stored property; ``SealingError`` if the value does not
    ///   open.
    /// - Complexity: O(n) in the size of the value.
    public func open<Value>(_ property: KeyPath<Self, Sealed<Value>>, with keys: SealingKeys) throws -> Value {
        try keys.open(self[keyPath: property], in: property, of: indexKey)
    }

    /// Opens the value of an optional property; returns nil if there is none.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - keys: The keys.
    /// - Throws: ``/Trove/StoreError`` if the key path is not a stored property; ``SealingError`` if the value does not
    ///   open.
    /// - Complexity: O(n) in the size of the value.
    public func open<Value>(_ property: KeyPath<Self, Sealed<Value>?>, with keys: SealingKeys) throws -> Value? {
        try self[keyPath: property].map { try keys.open($0, in: property, of: indexKey) }
    }

    /// Seals the value of a property again with the current key, unless it is sealed with it already.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - keys: The keys: the current key, and the key that the value is sealed with.
    /// - Returns: Whether the value was sealed with another key.
    /// - Throws: As `open(_:with:)` does.
    /// - Complexity: O(n) in the size of the value; O(1) if false is returned.
    @discardableResult
    public mutating func reseal<Value>(
        _ property: WritableKeyPath<Self, Sealed<Value>>, with keys: SealingKeys
    ) throws -> Bool {
        guard let resealed = try keys.resealed(self[keyPath: property], in: property, of: indexKey) else {
            return false
        }
        self[keyPath: property] = resealed
        return true
    }

    /// Seals the value of an optional property again with the current key, unless it is nil or sealed with it already.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - keys: The keys: the current key, and the key that the value is sealed with.
    /// - Returns: Whether the value was sealed with another key.
    /// - Throws: As `open(_:with:)` does.
    /// - Complexity: O(n) in the size of the value; O(1) if false is returned.
    @discardableResult
    public mutating func reseal<Value>(
        _ property: WritableKeyPath<Self, Sealed<Value>?>, with keys: SealingKeys
    ) throws -> Bool {
        guard let sealed = self[keyPath: property],
            let resealed = try keys.resealed(sealed, in: property, of: indexKey)
        else { return false }
        self[keyPath: property] = resealed
        return true
    }
}
#endif
