// What a store must know of a record type: who it is, and how its bytes are laid out.

import TroveCoding

/// A record type's identity and layout.
///
/// It is made once for each type and compared by identity; make one only as the `static let schema` of a conformance.
public final class RecordSchema: Sendable {
    /// The type's lexical path without the module, such as `Outer.Person`.
    public let name: String
    /// The same behind the name of its module: what the catalog remembers, to tell types apart.
    public let qualifiedName: String
    /// The file of the declaration, which tells private types of one name apart.
    let fileID: String
    /// The type's stable identity in a store.
    public let keyPrefix: UInt32
    /// Whether the prefix follows from the name, rather than being set by hand.
    public let hasAutomaticPrefix: Bool
    /// The version of the layout: the hash of ``layout``, unless it was set by hand.
    public let fieldsVersion: UInt32
    /// The names and canonical types of all properties, those of the key first.
    public let layout: String
    /// The part of ``layout`` that describes the key.
    public let keyLayout: String
    /// The key's components, in their order.
    public let key: [KeyProperty]
    /// The other stored properties, in their order.
    public let fields: [FieldProperty]

    /// Describes a type.
    ///
    /// - Parameters:
    ///   - name: The lexical path of the type without the module; it gives the automatic `keyPrefix`.
    ///   - fileID: `#fileID`, which begins with the module.
    ///   - keyPrefix: The identity, where it is set by hand. It is then a claim: a type may be renamed behind it.
    ///   - fieldsVersion: The version, where it is kept by hand.
    ///   - key: The components of the key.
    ///   - fields: The other stored properties.
    public init(
        name: String, fileID: String, keyPrefix: UInt32? = nil, fieldsVersion: UInt32? = nil, key: [KeyProperty],
        fields: [FieldProperty]
    ) {
        self.name = name
        self.fileID = fileID
        qualifiedName = fileID.prefix { $0 != "/" } + "." + name
        self.keyPrefix = keyPrefix ?? SDBM.hash32(name)
        hasAutomaticPrefix = keyPrefix == nil
        keyLayout = "(" + key.map(\.layout).joined(separator: ",") + ")"
        layout = keyLayout + "{" + fields.map(\.layout).joined(separator: ",") + "}"
        self.fieldsVersion = fieldsVersion ?? SDBM.hash32(layout)
        self.key = key
        self.fields = fields
    }
}

/// A component of a record's key.
public struct KeyProperty: Sendable {
    /// The property's name.
    public let name: String
    /// The name and canonical type, as they stand in the layout.
    let layout: String
    let type: any KeyComponent.Type
    let skip: PropertySkip

    /// Describes a property.
    @inlinable
    public init<Value: KeyComponent>(_ name: String, _ type: Value.Type) {
        self.init(name, type, layout: describedProperty(name, DirectField<Value>.self)) { (run) throws(CodingError) in
            try run.forEachKey(advancing: true) { (reader) throws(CodingError) in try Value.skipKey(in: &reader) }
        }
    }

    @usableFromInline
    init(_ name: String, _ type: any KeyComponent.Type, layout: String, skip: @escaping PropertySkip) {
        self.name = name
        self.layout = layout
        self.type = type
        self.skip = skip
    }
}

/// A stored property that is not in the key.
public struct FieldProperty: Sendable {
    /// The property's name.
    public let name: String
    /// The name and canonical type, as they stand in the layout.
    let layout: String
    let skip: PropertySkip

    /// Describes a property.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - coding: How it is stored: what `fieldCoding(of:)` gives for its type.
    @inlinable
    public init<Coding: FieldCoding>(_ name: String, _ coding: Coding.Type) {
        self.init(name, layout: describedProperty(name, coding)) { (run) throws(CodingError) in
            try run.forEachFields(advancing: true) { (reader) throws(CodingError) in try Coding.skip(in: &reader) }
        }
    }

    @usableFromInline
    init(_ name: String, layout: String, skip: @escaping PropertySkip) {
        self.name = name
        self.layout = layout
        self.skip = skip
    }
}

/// `name:layout`, as it stands in a record's layout.
@usableFromInline
func describedProperty(_ name: String, _ coding: (some FieldCoding).Type) -> String {
    var builder = LayoutBuilder()
    builder.field(name, coding)
    return builder.text
}
