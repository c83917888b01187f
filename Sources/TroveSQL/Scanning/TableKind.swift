// The kinds of tables: records, and the parts of records that are rows of their own.

import Trove
import TroveCoding

/// The rows of a table. All tables share the module, the plans and the cursors.
enum TableKind {
    /// A row for each record.
    case records
    /// A row for each element of a property.
    case elements(ElementList)
    /// A row for each link of a property.
    case links(StoredLinkList)
    /// The rows of a list in memory.
    case list(CatalogList)

    var isOfRecords: Bool { if case .records = self { true } else { false } }

    /// Whether the entries of an index can have all columns.
    var canBeCovered: Bool { if case .elements = self { false } else { true } }

    /// Whether the keys of the rows are bytes of the store.
    var hasStoredKeys: Bool {
        switch self {
        case .records, .elements: true
        case .links, .list: false
        }
    }
}

/// The form of the entries of links.
enum LinkOrder {
    /// `owner position target`
    case list
    /// The records of the links, with the positions in their values.
    case records
    /// `target position owner`; the positions are those of the targets.
    case inverseList
    /// The records of links that are stored in both directions, with the target first.
    case swappedRecords
}

/// A property whose elements are the rows of a table: an array, a set or a dictionary.
struct ElementList {
    /// The table of the records.
    let records: SQLTable
    /// The field of the property.
    let field: Int
    let isOptional: Bool
    /// The layouts of the parts of an element: the value, or the key and the value.
    let parts: [LayoutField]
    let walk: FieldWalk

    /// Creates the elements of a field; nil for a field without elements.
    init?(_ records: SQLTable, field: Int) {
        guard records.columns[records.keySteps.count + field].step.kind == .complex else { return nil }
        var type = records.layout.fields[field].type
        var isOptional = false
        if case .optional(let wrapped) = type { (type, isOptional) = (wrapped, true) }
        let types: [LayoutType]
        switch type {
        case .array(let element), .set(let element): types = [element]
        case .dictionary(let key, let value): types = [key, value]
        default: return nil
        }
        guard !types.contains(where: { ValueStep(field: $0).kind == .unreadable }) else { return nil }
        self.records = records
        self.field = field
        self.isOptional = isOptional
        parts = zip(types.count == 1 ? ["value"] : ["key", "value"], types).map { LayoutField($0, $1) }
        walk = FieldWalk(parts)
    }

    var isDictionary: Bool { parts.count == 2 }

    /// The stored name of the property.
    var property: String { records.layout.fields[field].name }

    /// The layout of the rows: the key of the record, then `position` and `value`, or `key` and `value`.
    var layout: RecordLayout {
        let position = isDictionary ? [] : [LayoutField("position", .integer(bits: 64, isSigned: true))]
        return RecordLayout(key: records.layout.key, fields: position + parts)
    }
}

extension StoredLinkList {
    /// The layout of the rows: `owner`, `target`, `position`.
    var layout: RecordLayout {
        let ends = table.newest.key.map(\.type)
        let integer = LayoutType.integer(bits: 64, isSigned: true)
        return RecordLayout(
            key: zip(["owner", "target"], ownerIsFirst ? ends : ends.reversed()).map { LayoutField($0, $1) },
            fields: [LayoutField("position", position == nil ? .optional(integer) : integer)])
    }
}
