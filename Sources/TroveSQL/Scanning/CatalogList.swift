// The catalog of the store as tables: its types and its indexes.

import Trove
import TroveCoding

/// A list of the catalog.
enum CatalogList: CaseIterable {
    case types
    case indexes

    /// The name of the table.
    var name: String {
        switch self {
        case .types: "trove_types"
        case .indexes: "trove_indexes"
        }
    }

    /// The layout of the rows.
    var layout: RecordLayout {
        let integer = LayoutType.integer(bits: 64, isSigned: true)
        let fields = [
            LayoutField("count", integer), LayoutField("size", integer), LayoutField("state", .string),
            LayoutField("definition", .string),
        ]
        let key = self == .types ? ["name"] : ["type", "name"]
        return RecordLayout(key: key.map { LayoutField($0, .string) }, fields: fields)
    }

    /// Returns the rows: the bytes of their keys and their fields.
    func rows(_ context: ReadContext) throws -> [(key: [UInt8], fields: [UInt8])] {
        let layout = layout
        func row(
            _ key: [String], count: Int, size: Int, state: String, definition: String
        ) throws -> (key: [UInt8], fields: [UInt8]) {
            let fields: [FieldValue] = [
                .integer(Int128(count)), .integer(Int128(size)), .string(state), .string(definition),
            ]
            return (
                try layout.writeKey(
                    StoredFields(zip(layout.key, key).map { StoredFields.Field($0.name, .string($1)) })),
                try layout.writeFields(StoredFields(zip(layout.fields, fields).map { StoredFields.Field($0.name, $1) }))
            )
        }
        return try context.storedTypes().flatMap { type in
            switch self {
            case .types:
                let definition = type.versions.last.flatMap { type.layouts[$0] } ?? type.keyLayout
                let state = type.migration.map { "migrated \($0.done) of \($0.total)" } ?? "ready"
                return [
                    try row([type.name], count: type.count, size: type.size, state: state, definition: definition)
                ]
            case .indexes:
                return try type.indexes.map { index in
                    try row(
                        [type.name, index.name], count: index.count, size: index.size,
                        state: index.isReady ? "ready" : "built \(index.done) of \(type.count)",
                        definition: index.definition)
                }
            }
        }
    }
}
