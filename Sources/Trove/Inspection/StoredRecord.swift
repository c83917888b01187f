// A stored record as named values.

import TroveCoding

/// A stored record: its key components and its fields, by name.
public struct StoredRecord: Hashable, Sendable {
    /// The version of the record's layout.
    public let fieldsVersion: UInt32
    /// The bytes of the key.
    public let key: [UInt8]
    /// The key components, then the other fields, in their stored order.
    public let fields: StoredFields

    /// Returns the value of a property; nil if the record has no property with that name.
    public subscript(name: String) -> FieldValue? { fields[name] }

    /// The record as a JSON object on a single line.
    public var json: String { fields.json }
}
