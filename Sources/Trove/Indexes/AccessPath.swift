// The access paths of a query: the records' own table and its indexes.

import LMDB
import TroveCoding

/// A table or index for the scans of queries. Its entries begin with properties of the records and end with the record
/// key.
final class AccessPath: Sendable {
    enum Kind: Hashable, Sendable {
        case records
        /// An index, by its position among the type's indexes.
        case index(Int)
    }

    let kind: Kind
    /// The name in printed plans; empty for the records' own table.
    let name: String
    /// The components of an entry, in order. Together they identify an entry.
    let components: [PathComponent]
    /// The functions to skip a key's components, in order.
    let skips: [KeySkip]
    /// The number of components before the record key.
    let propertyCount: Int
    /// Whether this is a unique index: as a rule, no two entries have equal properties, and a record with a nil
    /// property has no entry.
    let isUnique: Bool
    /// Whether the entries are counted, so that places among them are found at once.
    let isRanked: Bool
    /// The component of elements; nil if there is none. Otherwise a record has an entry for each of its elements, so
    /// only a scan of a single element finds each record once, and a record without elements has no entry.
    let elements: Int?
    /// The condition for a record to have an entry; nil if every record has an entry.
    let condition: PathCondition?

    private init(
        _ kind: Kind, name: String, _ components: [PathComponent], propertyCount: Int, isUnique: Bool,
        isRanked: Bool = false, elements: Int? = nil, condition: PathCondition?
    ) {
        self.kind = kind
        self.name = name
        self.components = components
        skips = components.map(\.skip)
        self.propertyCount = propertyCount
        self.isUnique = isUnique
        self.isRanked = isRanked
        self.elements = elements
        self.condition = condition
    }

    /// Returns the access path of the records' own table.
    static func records(_ key: [KeyProperty]) -> AccessPath {
        AccessPath(
            .records, name: "", PathComponent.components(of: key), propertyCount: 0, isUnique: false, condition: nil)
    }

    /// Returns the stored properties of a type, with their layouts.
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

    /// Returns the totals of the records of a type.
    static func totals<Record>(
        _ key: [KeyProperty], _ fields: [FieldProperty], _ indexes: [RecordIndex<Record>]
    ) -> [TotalsPath] {
        let properties = properties(key, fields)
        return indexes.enumerated().filter { $1.descriptor.kind.hasGroups }.map { ordinal, index in
            let sums = index.properties.suffix(index.descriptor.sumCount)
            let groups = index.properties.dropLast(index.descriptor.sumCount)
            let path = AccessPath(
                .index(ordinal), name: index.descriptor.text, groups.map { PathComponent($0, among: properties) },
                propertyCount: groups.count, isUnique: false, condition: index.condition.map(PathCondition.init))
            return TotalsPath(ordinal, path, sums: sums.map { properties.property(of: $0.column) })
        }
    }

    /// Returns the access paths to records of a type.
    static func candidates<Record>(
        _ key: [KeyProperty], _ fields: [FieldProperty], _ indexes: [RecordIndex<Record>]
    ) -> [AccessPath] {
        let properties = properties(key, fields)
        let keyComponents = PathComponent.components(of: key)
        return [.records(key)]
            + indexes.enumerated().compactMap { place, index in
                let kind = index.descriptor.kind
                guard kind.isOrderedByColumns else { return nil }
                let elements = index.properties.firstIndex { $0.column.form == .element }
                return AccessPath(
                    .index(place), name: index.descriptor.text,
                    index.properties.map { PathComponent($0, among: properties) } + keyComponents,
                    propertyCount: index.properties.count, isUnique: kind.isUnique,
                    // With several entries of a record, counts of entries are not counts of records.
                    isRanked: kind.isRanked && elements == nil, elements: elements,
                    condition: index.condition.map(PathCondition.init))
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
    /// Returns the property of an index column; nil unless a stored property of the column's type has its name.
    func property(of column: IndexColumn) -> StoredProperty? {
        last { $0.property.name == column.property && $0.type == column.type }?.property
    }
}

/// Moves past a component.
typealias KeySkip = @Sendable (inout KeyReader) throws(CodingError) -> Void

/// The condition of an index. Only records that fulfill it have entries.
final class PathCondition: Sendable {
    private struct Known {
        let filters: [FilterTree]
        let isExact: Bool
    }

    private let make: @Sendable () -> Known?
    private let made = Monitor<Known??>(nil)

    init<Record>(_ condition: IndexCondition<Record>) {
        make = { condition.safeFilter.map { Known(filters: $0.conjuncts, isExact: condition.exactFilter != nil) } }
    }

    private var known: Known? {
        made.withLock { made in
            let known = made ?? make()
            made = .some(known)
            return known
        }
    }

    /// The parts of the condition, all of which the query's filter must imply; nil if the condition is unknown.
    var filters: [FilterTree]? { known?.filters }

    /// Whether the record of every entry matches the filter.
    var isExact: Bool { known?.isExact ?? false }
}
