// The tables that a query can walk: that of the records, and those that follow from them.

import LMDB
import TroveCoding

/// A table that a query can walk: its entries begin with properties of the records, in an order, and end with the key.
final class AccessPath: Sendable {
    enum Kind: Hashable, Sendable {
        case records
        /// One of the type's indexes, by its place among them.
        case index(Int)
    }

    let kind: Kind
    /// As plans show it; empty for the table of the records.
    let name: String
    /// The components of its entries, in order: no two entries have all of them in common.
    let components: [PathComponent]
    /// How many of them stand before the record's key.
    let propertyCount: Int
    /// Whether its entries have the properties in common with no other, as a rule; and where one is nil there is none.
    let isUnique: Bool
    /// Which records have entries; nil for all.
    let condition: PathCondition?

    private init(
        _ kind: Kind, name: String, _ components: [PathComponent], propertyCount: Int, isUnique: Bool,
        condition: PathCondition?
    ) {
        self.kind = kind
        self.name = name
        self.components = components
        self.propertyCount = propertyCount
        self.isUnique = isUnique
        self.condition = condition
    }

    /// The table of the records themselves.
    static func records(_ key: [KeyProperty]) -> AccessPath {
        AccessPath(
            .records, name: "", PathComponent.components(of: key), propertyCount: 0, isUnique: false, condition: nil)
    }

    /// The stored properties of a type, with the layouts of their types.
    static func properties(
        _ key: [KeyProperty], _ fields: [FieldProperty]
    ) -> [(property: StoredProperty, type: String)] {
        key.enumerated().map { index, property in
            (StoredProperty(name: property.name, place: .key(index)), property.described.type(of: property.name))
        }
            + fields.enumerated().map { index, field in
                (StoredProperty(name: field.name, place: .field(index)), field.described.type(of: field.name))
            }
    }

    /// The tables that a query for records of a type can walk.
    static func candidates<Record>(
        _ key: [KeyProperty], _ fields: [FieldProperty], _ indexes: [RecordIndex<Record>]
    ) -> [AccessPath] {
        let properties = properties(key, fields)
        let keyComponents = PathComponent.components(of: key)
        return [.records(key)]
            + indexes.enumerated().compactMap { index, table in
                let kind = table.descriptor.kind
                guard kind.isOrderedByColumns else { return nil }
                return AccessPath(
                    .index(index), name: table.descriptor.text,
                    table.properties.map { PathComponent($0, among: properties) } + keyComponents,
                    propertyCount: table.properties.count, isUnique: kind.isUnique,
                    condition: table.condition.map(PathCondition.init))
            }
    }
}

extension LayoutBuilder {
    /// The type in the description of a property.
    fileprivate func type(of name: String) -> String {
        var quoted = LayoutBuilder()
        quoted.append(name: name)
        return String(text.dropFirst(quoted.text.count + 1))
    }
}

extension [(property: StoredProperty, type: String)] {
    /// Returns the property that a column of an index has; nil for a column that is no stored property of that type.
    func property(of column: IndexColumn) -> StoredProperty? {
        last { $0.property.name == column.property && $0.type == column.type }?.property
    }
}

/// Moves past a component.
typealias KeySkip = @Sendable (inout KeyReader) throws(CodingError) -> Void

/// A component of a table's entries.
struct PathComponent: Sendable {
    /// What its bytes are.
    enum Form: Hashable, Sendable {
        /// Those of a key.
        case key
        /// Those of a field, escaped, or of the value in an optional one: equal where the values are, and in no order.
        case field(isOptional: Bool)
    }

    /// The property whose value it is; nil where it is none of those stored, so that no filter speaks of it.
    let property: StoredProperty?
    let form: Form
    /// Whether its bytes are complemented.
    let isDescending: Bool
    /// Whether it may be nil.
    let isOptional: Bool
    let skip: KeySkip

    /// The components of a type's key.
    static func components(of key: [KeyProperty]) -> [PathComponent] {
        key.enumerated().map { index, property in
            let type = property.type
            return PathComponent(
                property: StoredProperty(name: property.name, place: .key(index)), form: .key, isDescending: false,
                isOptional: false, skip: { reader throws(CodingError) in try type.skipKey(in: &reader) })
        }
    }

    private init(
        property: StoredProperty?, form: Form, isDescending: Bool, isOptional: Bool,
        skip: @escaping KeySkip
    ) {
        self.property = property
        self.form = form
        self.isDescending = isDescending
        self.isOptional = isOptional
        self.skip = skip
    }

    /// The component that an index has for one of its properties.
    ///
    /// - Parameter properties: The stored properties of the type.
    init<Record>(_ indexed: IndexedProperty<Record>, among properties: [(property: StoredProperty, type: String)]) {
        let column = indexed.column
        let property = properties.property(of: column)
        let isOptional = column.nilByte != nil
        self.init(
            property: property,
            form: property != nil && column.form == .equality ? .field(isOptional: isOptional) : .key,
            isDescending: property != nil && column.form == .descendingKey, isOptional: isOptional,
            skip: indexed.skip)
    }
}

/// Which records have entries in a table.
final class PathCondition: Sendable {
    /// Whether all entries are of records that match the filter.
    let isExact: Bool
    private let make: @Sendable () -> FilterTree?
    private let made = Monitor<FilterTree??>(nil)

    fileprivate init<Record>(_ condition: IndexCondition<Record>) {
        isExact = condition.isExact
        make = { [filter = condition.filter] in
            guard let known = filter?(), known.failure == nil else { return nil }
            return known.tree
        }
    }

    /// What a query must ask for at least, as parts that must all match; nil where nothing is known of it.
    var filters: [FilterTree]? {
        made.withLock { made in
            let filter = made ?? make()
            made = .some(filter)
            return filter?.conjuncts
        }
    }
}

extension Condition {
    /// What the condition admits of a property, in the bytes of such a component.
    func bounds(on property: StoredProperty?, as form: PathComponent.Form) -> ByteRanges? {
        guard self.property == property else { return nil }
        switch form {
        case .key: return bounds
        case .field(let isOptional):
            return field.map { field in
                ByteRanges(
                    value: KeyWriter.bytes { EqualityComponent.encode(field, isOptional: isOptional, into: &$0) })
            }
        }
    }
}
