// A stored property outside the key, in a schema.

import TroveCoding

/// A stored property outside the key.
public struct FieldProperty: Sendable {
    /// The stored name: the property's own name, unless the type's `CodingKeys` have another name.
    public let name: String
    /// The name and canonical type, as in the layout.
    let described: LayoutBuilder
    let skip: PropertySkip

    /// The migration rule of the property.
    var rule: FieldRule { described.rules[0] ?? FieldRule() }

    /// Describes a property.
    ///
    /// - Parameters:
    ///   - name: The stored name of the property.
    ///   - coding: The coding of the property, as `fieldCoding(of:)` returns it for its type.
    ///   - oldName: The name of the property in older records, if it is different.
    ///   - makeDefault: The value for older records without this field.
    @inlinable
    public init<Coding: FieldCoding>(
        _ name: String, _ coding: Coding.Type, renamedFrom oldName: String? = nil,
        default makeDefault: (@Sendable () -> Coding.Value)? = nil
    ) {
        var described = LayoutBuilder()
        described.field(name, coding, renamedFrom: oldName, default: makeDefault)
        self.init(name, described) { (run) throws(CodingError) in
            try run.forEachFields(advancing: true) { (reader) throws(CodingError) in try Coding.skip(in: &reader) }
        }
    }

    @usableFromInline
    init(_ name: String, _ described: LayoutBuilder, skip: @escaping PropertySkip) {
        self.name = name
        self.described = described
        self.skip = skip
    }
}
