// A key component in a schema.

import TroveCoding

/// A component of a record's key.
public struct KeyProperty: Sendable {
    /// The stored name: the property's own name, unless the type's `CodingKeys` have another name.
    public let name: String
    /// The name and canonical type, as in the layout.
    let described: LayoutBuilder
    let type: any KeyComponent.Type
    let skip: PropertySkip

    /// The migration rule of the property.
    var rule: FieldRule { described.rules[0] ?? FieldRule() }

    /// Describes a property.
    ///
    /// - Parameters:
    ///   - name: The stored name of the property.
    ///   - type: The type of the property.
    ///   - oldName: The name of the property in older records, if it is different.
    @inlinable
    public init<Value: KeyComponent>(_ name: String, _ type: Value.Type, renamedFrom oldName: String? = nil) {
        var described = LayoutBuilder()
        described.field(name, DirectField<Value>.self, renamedFrom: oldName)
        self.init(name, type, described) { (run) throws(CodingError) in
            try run.forEachKey(advancing: true) { (reader) throws(CodingError) in try Value.skipKey(in: &reader) }
        }
    }

    @usableFromInline
    init(
        _ name: String, _ type: any KeyComponent.Type, _ described: LayoutBuilder, skip: @escaping PropertySkip
    ) {
        self.name = name
        self.described = described
        self.type = type
        self.skip = skip
    }
}
