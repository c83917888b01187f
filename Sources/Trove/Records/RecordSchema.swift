// The description of a record type for the store: its identity, layout and indexes.

import TroveCoding

/// A record type's identity and layout.
///
/// A schema is created once for each type and compared by identity. Create it only as the `static let schema` of a
/// conformance.
public final class RecordSchema: Sendable {
    /// The type's lexical path without the module, such as `Outer.Person`.
    public let name: String
    /// The name with the module. The catalog stores it to distinguish types.
    public let qualifiedName: String
    /// The file of the declaration, which distinguishes private types with the same name.
    let fileID: String
    /// The type's stable identity in a store.
    public let keyPrefix: UInt32
    /// Whether the prefix is a hash of the name, rather than set by hand.
    public let hasAutomaticPrefix: Bool
    /// The version of the layout: the hash of ``layout``, unless set by hand.
    public let fieldsVersion: UInt32
    /// The names and canonical types of all properties, the key components first.
    public let layout: String
    /// Whether fields may contain values of their own type, to any depth.
    @usableFromInline let isRecursive: Bool
    /// The key's part of ``layout``.
    public let keyLayout: String
    /// The key components, in order.
    public let key: [KeyProperty]
    /// The other stored properties, in order.
    public let fields: [FieldProperty]
    /// The part about relations and hooks; nil for a type that is not an entity.
    let part: (any _SchemaPart)?
    /// The argument of `@EntityModel` without which a store does not keep the records; nil if it keeps them.
    let missingOption: String?
    /// The type; nil for links.
    package let type: (any IndexKeyRecord.Type)?
    /// Whether the records are the links of a relation. They have no Swift type.
    let isOfLinks: Bool
    /// Whether a record is written straight into its page: its type has no indexes, and is not an entity.
    @usableFromInline let isWrittenDirectly: Bool
    /// Whether a save of a record that is stored with the same bytes writes nothing, in a type that is not written
    /// directly. A plain record is written if an index needs its key alone: such an index has other sources than the
    /// record, and follows each save.
    let savesOnlyChanges: Bool
    /// The indexes, in order.
    @usableFromInline let indexes: [IndexDescriptor]
    /// An index that is declared twice; nil if there is none.
    let repeatedIndex: String?
    /// An index with a JSON value; nil if there is none.
    let indexOfJSON: String?
    /// The types of the properties with indexed elements, each as the only field of a layout.
    let elementLayouts: [String]
    /// The functions that derive index entries from records, in the order of the indexes.
    let derivations: [IndexDerivation]
    /// The properties that the indexes depend on.
    let dependencies: IndexDependencies
    /// The access paths of queries for records of the type.
    let candidates: [AccessPath]
    /// The totals of the records, for queries.
    let totals: [TotalsPath]
    /// The conditions of the indexes, in their order; nil for an index of all records.
    let conditions: [PathCondition?]
    /// The readers of properties named by queries.
    let readers = KeyPathCache()
    /// The properties that queries have sorted by.
    let sortProperties = KeyPathCache()
    /// The parts of live objects that properties belong to.
    let liveParts = KeyPathCache()
    /// The conversions of named values into records of the type.
    let valueConversions = ValueConversions()

    /// Creates the schema of a type, with its ``IndexKeyRecord/indexes``.
    ///
    /// - Parameters:
    ///   - type: The type itself: `Self.self`.
    ///   - name: The lexical path of the type without the module. The automatic `keyPrefix` is derived from it.
    ///   - fileID: `#fileID`, which begins with the module.
    ///   - keyPrefix: The identity, if set by hand. The store then does not compare the type's name, so the type can be
    ///     renamed.
    ///   - fieldsVersion: The version, if it is set by hand.
    ///   - key: The key components.
    ///   - fields: The other stored properties.
    public convenience init<Record: IndexKeyRecord>(
        of type: Record.Type, name: String, fileID: String, keyPrefix: UInt32? = nil, fieldsVersion: UInt32? = nil,
        key: [KeyProperty], fields: [FieldProperty]
    ) {
        let indexes = type.indexes
        self.init(
            type, name: name, fileID: fileID, keyPrefix: keyPrefix, fieldsVersion: fieldsVersion, key: key,
            fields: fields, indexes: indexes.map(\.descriptor), derivations: indexes.map(\.derivation),
            dependencies: IndexDependencies(key, fields, indexes),
            candidates: AccessPath.candidates(key, fields, indexes),
            totals: AccessPath.totals(key, fields, indexes),
            conditions: indexes.map { $0.condition.map(PathCondition.init) },
            indexOfJSON: indexes.first { $0.properties.contains(where: \.isPartlyJSON) }?.descriptor.text,
            elementLayouts: indexes.flatMap { $0.properties.compactMap(\.column.elementLayout) },
            part: type._schemaPart(),
            missingOption: (type as? any FollowingRecord.Type)?.missingOption)
    }

    /// Creates the schema of links: records without a Swift type. Their indexes are maintained by the code that writes
    /// them.
    ///
    /// - Parameters:
    ///   - qualifiedName: The name with a module.
    ///   - keyPrefix: The identity.
    ///   - layout: The layout of the records.
    ///   - indexes: The indexes.
    init(qualifiedName: String, keyPrefix: UInt32, _ layout: RecordLayout, _ indexes: [IndexDescriptor]) {
        self.qualifiedName = qualifiedName
        name = String(qualifiedName.drop { $0 != "." }.dropFirst())
        fileID = qualifiedName
        type = nil
        self.keyPrefix = keyPrefix
        hasAutomaticPrefix = false
        keyLayout = layout.keyDescription
        self.layout = layout.description
        isRecursive = false
        fieldsVersion = SDBM.hash32(self.layout)
        key = []
        fields = []
        self.indexes = indexes
        repeatedIndex = nil
        indexOfJSON = nil
        elementLayouts = []
        derivations = []
        dependencies = IndexDependencies()
        candidates = []
        totals = []
        conditions = []
        part = nil
        missingOption = nil
        isOfLinks = true
        isWrittenDirectly = false
        savesOnlyChanges = true
    }

    private init(
        _ type: any IndexKeyRecord.Type, name: String, fileID: String, keyPrefix: UInt32?, fieldsVersion: UInt32?,
        key: [KeyProperty],
        fields: [FieldProperty], indexes: [IndexDescriptor], derivations: [IndexDerivation],
        dependencies: IndexDependencies, candidates: [AccessPath], totals: [TotalsPath], conditions: [PathCondition?],
        indexOfJSON: String?, elementLayouts: [String], part: (any _SchemaPart)?, missingOption: String?
    ) {
        self.type = type
        self.name = name
        self.fileID = fileID
        qualifiedName = fileID.prefix { $0 != "/" } + "." + name
        self.keyPrefix = keyPrefix ?? SDBM.hash32(name)
        hasAutomaticPrefix = keyPrefix == nil
        keyLayout = "(" + key.map(\.described.text).joined(separator: ",") + ")"
        layout = keyLayout + "{" + fields.map(\.described.text).joined(separator: ",") + "}"
        isRecursive = fields.contains { $0.described.text.contains("^") }
        self.fieldsVersion = fieldsVersion ?? SDBM.hash32(layout)
        self.key = key
        self.fields = fields
        let oldNames = Dictionary(
            key.map { ($0.name, $0.rule.oldNames) } + fields.map { ($0.name, $0.rule.oldNames) },
            uniquingKeysWith: { first, _ in first })
        self.indexes = indexes.map { index in
            var index = index
            index.oldNames = index.properties.map { oldNames[$0] ?? [] }
            return index
        }
        let names = indexes.map(\.text)
        repeatedIndex = names.indices.first { names[..<$0].contains(names[$0]) }.map { names[$0] }
        self.indexOfJSON = indexOfJSON
        self.elementLayouts = elementLayouts
        self.derivations = derivations
        self.dependencies = dependencies
        self.candidates = candidates
        self.totals = totals
        self.conditions = conditions
        self.part = part
        self.missingOption = missingOption
        isOfLinks = false
        isWrittenDirectly = indexes.isEmpty && part == nil
        savesOnlyChanges = part != nil || !indexes.contains(where: \.needsKeysOnly)
    }

    /// Whether the records are entities.
    @usableFromInline var isOfEntities: Bool { part != nil }

    /// The key paths of properties in queries.
    var paths: [AnyKeyPath] { key.compactMap { $0.path?.path } + fields.compactMap { $0.path?.path } }

    /// Returns the place and the `PropertyCoding` of the property at a key path; nil if it is not a stored property.
    func property(at path: AnyKeyPath) -> (place: PropertyLocation, coding: any Sendable)? {
        if let index = key.firstIndex(where: { $0.path?.path == path }) { return (.key(index), key[index].coding) }
        if let index = fields.firstIndex(where: { $0.path?.path == path }) {
            return (.field(index), fields[index].coding)
        }
        return nil
    }

    /// Returns the layout, with the migration rules of its fields.
    ///
    /// - Throws: ``/TroveCoding/CodingError`` if a type with a handwritten description does not follow the grammar.
    func parsedLayout() throws(CodingError) -> RecordLayout {
        RecordLayout(
            key: try key.map { (property) throws(CodingError) in try LayoutField(property.described) },
            fields: try fields.map { (property) throws(CodingError) in try LayoutField(property.described) })
    }

    /// Returns whether a stored key layout is the type's own, except for old names of components.
    func hasKey(of stored: String) -> Bool {
        if stored == keyLayout { return true }
        do throws(CodingError) {
            let old = try RecordLayout(stored + "{}").key
            let new = try RecordLayout(keyLayout + "{}").key
            return old.map(\.type) == new.map(\.type)
                && zip(old, key).allSatisfy { $0.name == $1.name || $1.rule.oldNames.contains($0.name) }
        } catch {
            return false
        }
    }
}
