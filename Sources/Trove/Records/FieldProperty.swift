// A stored property outside the key, in a schema.

import TroveCoding

/// A stored property outside the key.
public struct FieldProperty: Sendable {
    /// The stored name: the property's own name, unless the type's `CodingKeys` have another name.
    public let name: String
    /// The key path by which queries name the property; nil if they cannot.
    let path: PropertyPath?
    /// The name and canonical type, as in the layout.
    let described: LayoutBuilder
    /// A `PropertyCoding` of the property's type.
    let coding: any Sendable
    let skip: PropertySkip

    /// The migration rule of the property.
    var rule: FieldRule { described.rules[0] ?? FieldRule() }

    /// Describes a property.
    ///
    /// - Parameters:
    ///   - name: The stored name of the property.
    ///   - path: The property.
    ///   - coding: The coding of the property, as `fieldCoding(of:)` returns it for its type.
    ///   - oldNames: The names of the property in older records, the oldest first.
    ///   - makeDefault: The value for older records without this field.
    @inlinable
    public init<Record, Coding: FieldCoding>(
        _ name: String, _ path: KeyPath<Record, Coding.Value>, _ coding: Coding.Type,
        renamedFrom oldNames: [String] = [], default makeDefault: (@Sendable () -> Coding.Value)? = nil
    ) {
        self.init(name, at: PropertyPath(path), coding: coding, renamedFrom: oldNames, default: makeDefault)
    }

    /// Describes a field that is not a property of the record. Queries cannot name it by a key path.
    ///
    /// - Parameters:
    ///   - name: The stored name of the field.
    ///   - coding: The coding of the field, as `fieldCoding(of:)` returns it for its type.
    ///   - oldNames: The names of the field in older records, the oldest first.
    ///   - makeDefault: The value for older records without this field.
    @inlinable
    public init<Coding: FieldCoding>(
        _ name: String, _ coding: Coding.Type, renamedFrom oldNames: [String] = [],
        default makeDefault: (@Sendable () -> Coding.Value)? = nil
    ) {
        self.init(name, at: nil, coding: coding, renamedFrom: oldNames, default: makeDefault)
    }

    /// Returns the same field with a rule for keys of other records.
    func referencing(_ references: ReferenceRule) -> FieldProperty {
        var described = described
        described.setReferences(references)
        return FieldProperty(name, at: path, described: described, coding: coding, skip: skip)
    }

    /// Describes a property whose type cannot be stored. Code that writes such a property does not compile.
    public init<Record, Coding: RefusedField>(
        _ name: String, _ path: KeyPath<Record, Coding.Value>, _ coding: Coding.Type,
        renamedFrom oldNames: [String] = [], default makeDefault: (@Sendable () -> Coding.Value)? = nil
    ) {
        self.init(name, at: nil, described: LayoutBuilder(), coding: ()) { _ in }
    }

    @inlinable
    init<Coding: FieldCoding>(
        _ name: String, at path: PropertyPath?, coding: Coding.Type, renamedFrom oldNames: [String],
        default makeDefault: (@Sendable () -> Coding.Value)?
    ) {
        var described = LayoutBuilder()
        described.field(name, coding, renamedFrom: oldNames, default: makeDefault)
        self.init(
            name, at: path, described: described, coding: PropertyCoding(field: coding)
        ) { (run) throws(CodingError) in
            try run.forEachFields(advancing: true) { (reader) throws(CodingError) in try Coding.skip(in: &reader) }
        }
    }

    @usableFromInline
    init(
        _ name: String, at path: PropertyPath?, described: LayoutBuilder, coding: any Sendable,
        skip: @escaping PropertySkip
    ) {
        self.name = name
        self.path = path
        self.described = described
        self.coding = coding
        self.skip = skip
    }
}
