// The rule of a field with the keys of other records.

/// The rule of a field with the keys of other records: an optional key, or an array of keys.
///
/// The two forms convert to each other, except for an array of several keys, which is no optional key. Keys that do not
/// convert to another type are dropped.
package struct ReferenceRule: Sendable {
    /// Throws for bytes that are not a key of the Swift type.
    let check: @Sendable ([UInt8]) throws(CodingError) -> Void
    /// Whether dropped keys count as a loss of the field's values.
    package var countsDroppedKeys = true

    /// Creates the rule of a field in an old layout, whose keys have no Swift type.
    package init() { check = { _ in } }

    /// Creates a rule for the keys of a Swift type.
    package init<Key: RecordValue>(_ key: Key.Type) {
        check = { (bytes) throws(CodingError) in _ = try ValueReader.decode(Key.self, from: bytes) }
    }
}

extension LayoutType {
    /// The type of the keys in a field with keys of other records; nil if it is neither an optional nor an array.
    package var referencedKey: LayoutType? {
        switch self {
        case .optional(let key), .array(let key): key
        default: nil
        }
    }
}

extension FieldValue {
    /// The keys in a field with keys of other records.
    package var referencedKeys: [FieldValue] {
        switch self {
        case .null: []
        case .array(let keys): keys
        default: [unwrapped]
        }
    }

    /// Creates the value of a field with keys of other records.
    ///
    /// - Parameters:
    ///   - keys: The keys; at most one for an optional key.
    ///   - type: The type of the field.
    package init(referencing keys: [FieldValue], as type: LayoutType) {
        guard case .optional(let key) = type else {
            self = .array(keys)
            return
        }
        guard let first = keys.first else {
            self = .null
            return
        }
        self = key.hasNull ? FieldValue.some(first) : first
    }
}
