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
    /// The indexes, in their order.
    @usableFromInline let indexes: [IndexDescriptor]
    /// One of them that is there twice; nil where none is.
    let repeatedTable: String?
    /// One of them that is made of JSON; nil where none is.
    let indexOfJSON: String?
    /// How their entries follow from records, in the same order.
    let derivations: [IndexDerivation]
    /// What they are made of.
    let dependencies: IndexDependencies
    /// The tables that a query for records of the type can walk.
    let candidates: [AccessPath]
    /// The readers of properties that queries named.
    let readers = PropertyReaders()
    /// How named values become records of the type.
    let valueConversions = ValueConversions()

    /// Describes a type, with its ``IndexKeyRecord/indexes``.
    ///
    /// - Parameters:
    ///   - type: The type itself: `Self.self`.
    ///   - name: The lexical path of the type without the module; it gives the automatic `keyPrefix`.
    ///   - fileID: `#fileID`, which begins with the module.
    ///   - keyPrefix: The identity, where it is set by hand. It is then a claim: a type may be renamed behind it.
    ///   - fieldsVersion: The version, where it is kept by hand.
    ///   - key: The components of the key.
    ///   - fields: The other stored properties.
    public convenience init<Record: IndexKeyRecord>(
        of type: Record.Type, name: String, fileID: String, keyPrefix: UInt32? = nil, fieldsVersion: UInt32? = nil,
        key: [KeyProperty], fields: [FieldProperty]
    ) {
        let tables = type.indexes
        self.init(
            name, fileID, keyPrefix, fieldsVersion, key, fields, tables.map(\.descriptor), tables.map(\.derivation),
            IndexDependencies(key, fields, tables), AccessPath.candidates(key, fields, tables),
            indexOfJSON: tables.first { $0.properties.contains(where: \.isPartlyJSON) }?.descriptor.text)
    }

    private init(
        _ name: String, _ fileID: String, _ keyPrefix: UInt32?, _ fieldsVersion: UInt32?, _ key: [KeyProperty],
        _ fields: [FieldProperty], _ indexes: [IndexDescriptor], _ derivations: [IndexDerivation],
        _ dependencies: IndexDependencies, _ candidates: [AccessPath], indexOfJSON: String?
    ) {
        self.name = name
        self.fileID = fileID
        qualifiedName = fileID.prefix { $0 != "/" } + "." + name
        self.keyPrefix = keyPrefix ?? SDBM.hash32(name)
        hasAutomaticPrefix = keyPrefix == nil
        keyLayout = "(" + key.map(\.described.text).joined(separator: ",") + ")"
        layout = keyLayout + "{" + fields.map(\.described.text).joined(separator: ",") + "}"
        self.fieldsVersion = fieldsVersion ?? SDBM.hash32(layout)
        self.key = key
        self.fields = fields
        let oldNames = Dictionary(
            key.compactMap { property in property.rule.oldName.map { (property.name, $0) } }
                + fields.compactMap { property in property.rule.oldName.map { (property.name, $0) } },
            uniquingKeysWith: { first, _ in first })
        self.indexes = indexes.map { table in
            var table = table
            table.oldProperties = table.properties.map { oldNames[$0] ?? $0 }
            return table
        }
        let names = indexes.map(\.text)
        repeatedTable = names.indices.first { names[..<$0].contains(names[$0]) }.map { names[$0] }
        self.indexOfJSON = indexOfJSON
        self.derivations = derivations
        self.dependencies = dependencies
        self.candidates = candidates
    }

    /// The layout, with what migrations know of its fields.
    ///
    /// - Throws: ``TroveCoding/CodingError`` where a type written by hand describes itself against the grammar.
    func parsedLayout() throws(CodingError) -> RecordLayout {
        RecordLayout(
            key: try key.map { (property) throws(CodingError) in try LayoutField(property.described) },
            fields: try fields.map { (property) throws(CodingError) in try LayoutField(property.described) })
    }
}

/// A component of a record's key.
public struct KeyProperty: Sendable {
    /// The name under which the property is stored: its own, unless the type's `CodingKeys` give it another.
    public let name: String
    /// The name and canonical type, as they stand in the layout.
    let described: LayoutBuilder
    let type: any KeyComponent.Type
    let skip: PropertySkip

    /// What migrations know of it besides.
    var rule: FieldRule { described.rules[0] ?? FieldRule() }

    /// Describes a property.
    ///
    /// - Parameters:
    ///   - name: The name under which it is stored.
    ///   - type: Its type.
    ///   - oldName: The name under which older records have it, where that is another one.
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

/// A stored property that is not in the key.
public struct FieldProperty: Sendable {
    /// The name under which the property is stored: its own, unless the type's `CodingKeys` give it another.
    public let name: String
    /// The name and canonical type, as they stand in the layout.
    let described: LayoutBuilder
    let skip: PropertySkip

    /// What migrations know of it besides.
    var rule: FieldRule { described.rules[0] ?? FieldRule() }

    /// Describes a property.
    ///
    /// - Parameters:
    ///   - name: The name under which it is stored.
    ///   - coding: How it is stored: what `fieldCoding(of:)` gives for its type.
    ///   - oldName: The name under which older records have it, where that is another one.
    ///   - makeDefault: The value for older records in which there is no such field.
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
