// A key component in a schema.

import TroveCoding

/// A component of a record's key.
public struct KeyProperty: Sendable {
    /// The stored name: the property's own name, unless the type's `CodingKeys` have another name.
    public let name: String
    /// The key path by which queries name the property; nil if they cannot.
    let path: PropertyPath?
    /// The name and canonical type, as in the layout.
    let described: LayoutBuilder
    let type: any KeyComponent.Type
    /// A `PropertyCoding` of the type.
    let coding: any Sendable
    let skip: PropertySkip

    /// The migration rule of the property.
    var rule: FieldRule { described.rules[0] ?? FieldRule() }

    /// Describes a property.
    ///
    /// - Parameters:
    ///   - name: The stored name of the property.
    ///   - path: The property.
    ///   - oldNames: The names of the property in older records, the oldest first.
    @inlinable
    public init<Record, Value: KeyComponent>(
        _ name: String, _ path: KeyPath<Record, Value>, renamedFrom oldNames: [String] = []
    ) {
        self.init(name, at: PropertyPath(path), type: Value.self, renamedFrom: oldNames)
    }

    /// Describes a component that is not a property of the record. Queries cannot name it by a key path.
    ///
    /// - Parameters:
    ///   - name: The stored name of the component.
    ///   - type: The type of the component.
    ///   - oldNames: The names of the component in older records, the oldest first.
    @inlinable
    public init<Value: KeyComponent>(_ name: String, _ type: Value.Type, renamedFrom oldNames: [String] = []) {
        self.init(name, at: nil, type: type, renamedFrom: oldNames)
    }

    @inlinable
    init<Value: KeyComponent>(
        _ name: String, at path: PropertyPath?, type: Value.Type, renamedFrom oldNames: [String]
    ) {
        var described = LayoutBuilder()
        described.field(name, DirectField<Value>.self, renamedFrom: oldNames)
        self.init(
            name, at: path, type: type, described: described, coding: PropertyCoding(key: type)
        ) { (run) throws(CodingError) in
            try run.forEachKey(advancing: true) { (reader) throws(CodingError) in try Value.skipKey(in: &reader) }
        }
    }

    @usableFromInline
    init(
        _ name: String, at path: PropertyPath?, type: any KeyComponent.Type, described: LayoutBuilder,
        coding: any Sendable, skip: @escaping PropertySkip
    ) {
        self.name = name
        self.path = path
        self.described = described
        self.type = type
        self.coding = coding
        self.skip = skip
    }
}
