// The stored names of a property, for what is bound to it by name.

import TroveCoding

extension IndexKeyRecord {
    /// Returns the stored name of the property at a key path, and its names in older layouts, the oldest first.
    ///
    /// - Throws: ``StoreError/QueryError/notStored(type:property:)`` or
    ///   ``StoreError/QueryError/relationNotStored(type:relation:path:)``.
    package static func storedNames<Value: Sendable>(
        of path: KeyPath<Self, Value>
    ) throws(StoreError) -> (name: String, oldNames: [String]) {
        let property = try reader(of: path).property
        return switch property.place {
        case .key(let index): (property.name, schema.key[index].rule.oldNames)
        case .field(let index): (property.name, schema.fields[index].rule.oldNames)
        }
    }
}
