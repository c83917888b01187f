// The property of a record that a sealed value is bound to. It is authenticated, and not encrypted.
//
//     associated data = key number(1) type(4) length name key
//     type            = the keyPrefix of the record type, little-endian
//     length          = of the property's stored name in UTF-8, as of any field
//     key             = the bytes of the record's key

#if canImport(CryptoKit) || Encryption
import Trove

/// The property of a record that a sealed value is bound to.
///
/// Key paths make places: see ``SealingKeys/seal(_:in:of:)``. A place is created from its parts where the program no
/// longer declares them, such as after a migration to another key.
public struct SealedPlace: Hashable, Sendable {
    /// The `keyPrefix` of the record type.
    public var keyPrefix: UInt32
    /// The stored name of the property.
    public var property: String
    /// The key of the record, with the name of its type.
    public var key: StoredKey
    /// The names of the property in older layouts.
    var oldNames: [String] = []

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - property: The stored name of the property.
    ///   - keyPrefix: The `keyPrefix` of the record type.
    ///   - key: The key of the record.
    public init(property: String, keyPrefix: UInt32, key: StoredKey) {
        self.property = property
        self.keyPrefix = keyPrefix
        self.key = key
    }

    /// Creates the place of a property.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - key: The key of the record.
    /// - Throws: ``/Trove/StoreError`` if the key path is not a stored property.
    public init<Record: IndexKeyRecord, Property: SealedProperty>(
        _ property: KeyPath<Record, Property>, of key: Record.IndexKey
    ) throws(StoreError) {
        let names = try Record.storedNames(of: property)
        self.init(property: names.name, keyPrefix: Record.keyPrefix, key: StoredKey(key, of: Record.self))
        oldNames = names.oldNames
    }

    /// Returns whether two places have the same type, property and key.
    public static func == (left: SealedPlace, right: SealedPlace) -> Bool {
        left.keyPrefix == right.keyPrefix && left.property == right.property && left.key == right.key
    }

    /// Hashes the type, the property and the key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(keyPrefix)
        hasher.combine(property)
        hasher.combine(key)
    }

    /// Returns the bytes that are authenticated with a sealed value.
    ///
    /// - Parameters:
    ///   - number: The number of the key.
    ///   - name: The stored name of the property, or an old name.
    func associatedData(number: UInt8, name: String) -> [UInt8] {
        Self.binding(number: number, keyPrefix: keyPrefix, name: name, followedBy: key.bytes)
    }

    /// Returns a number, a type, a name and further bytes in the grammar of the associated data.
    static func binding(
        number: UInt8, keyPrefix: UInt32, name: String, followedBy bytes: [UInt8]
    ) -> [UInt8] {
        let name = name.utf8
        var result: [UInt8] = []
        result.reserveCapacity(10 + name.count + bytes.count)
        result.append(number)
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            result.append(UInt8(truncatingIfNeeded: keyPrefix >> shift))
        }
        // LEB128, as the length of any field.
        var length = name.count
        while length >= 0x80 {
            result.append(UInt8(truncatingIfNeeded: length) | 0x80)
            length >>= 7
        }
        result.append(UInt8(length))
        result.append(contentsOf: name)
        result.append(contentsOf: bytes)
        return result
    }
}

extension SealedPlace: CustomStringConvertible {
    /// The type, the property and the key.
    public var description: String { "\(key.type).\(property) of the record \(key)" }
}
#endif
