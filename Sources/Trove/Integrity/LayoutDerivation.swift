// Derives index entries from stored records by the index's definition, without the Swift type that declares the index.
//
//     definition = property { "," property } [ " where " condition ]
//     property   = name ":" layout                  the bytes of a key component
//                | name " desc:desc<" layout ">"    the same bytes, complemented
//                | name ":equal<" layout ">"        the bytes of the field, escaped
//
// Names are not quoted. So a definition is matched against the text of each stored property.

import LMDB
import TroveCoding

/// The properties of an index, found in a layout.
struct StoredDerivation {
    private enum Form { case key, field }

    private struct Component {
        let name: String
        let type: LayoutType
        let form: Form

        init(_ field: LayoutField, _ type: LayoutType, _ form: Form) {
            (name, self.type, self.form) = (field.name, type, form)
        }

        /// The first byte of nil; nil if the type has no nil.
        var nilByte: UInt8? {
            switch type {
            case .optional: 0
            case .descending(.optional): 0xFF
            default: nil
            }
        }
    }

    private let components: [Component]
    /// The layout of an entry: a value and the record key.
    private let row: RecordLayout
    private let key: RecordLayout
    private let isUnique: Bool
    /// Whether the index has a condition, which only its program can evaluate.
    let isPartial: Bool

    /// - Returns: Nil if a property is not in the layout, or has a type that describes itself.
    init?(_ table: CatalogIndex, in layout: RecordLayout) {
        var rest = table.definition[...]
        var components: [Component] = []
        repeat {
            if !components.isEmpty { rest = rest.dropFirst() }
            let matching = (layout.key + layout.fields).flatMap(Self.candidates).filter { rest.hasPrefix($0.text) }
            guard let longest = matching.max(by: { $0.text.count < $1.text.count }) else { return nil }
            components.append(longest.component)
            rest = rest.dropFirst(longest.text.count)
        } while rest.first == ","
        guard rest.isEmpty || rest.hasPrefix(" where ") else { return nil }
        self.components = components
        isPartial = !rest.isEmpty
        isUnique = table.kind == .unique
        key = RecordLayout(key: layout.key, fields: [])
        row = RecordLayout(
            key: components.map { LayoutField($0.name, $0.form == .key ? $0.type : .data) } + layout.key, fields: [])
    }

    private static func candidates(_ field: LayoutField) -> [(text: String, component: Component)] {
        let (name, type) = (field.name, "\(field.type)")
        return [
            ("\(name):\(type)", Component(field, field.type, .key)),
            ("\(name) desc:desc<\(type)>", Component(field, .descending(field.type), .key)),
            ("\(name):equal<\(type)>", Component(field, field.type, .field)),
        ]
    }

    /// Adds the entry of a record, whether or not the record fulfills the index's condition.
    func derive(_ record: StoredFields, _ key: RawSpan, as index: Int, into list: inout IndexEntries) throws {
        let parts = try components.map { component in try bytes(of: component, in: record) }
        list.add(to: index, key) { writer in
            for part in parts { part.withRawSpan { writer.writeBytes($0) } }
            return !isUnique || !zip(components, parts).contains { $0.nilByte == $1.first }
        }
    }

    private func bytes(of component: Component, in record: StoredFields) throws(CodingError) -> [UInt8] {
        let value = StoredFields([StoredFields.Field(component.name, record[component.name] ?? .null)])
        let field = LayoutField(component.name, component.type)
        if component.form == .key { return try RecordLayout(key: [field], fields: []).writeKey(value) }
        let bytes = try RecordLayout(key: [], fields: [field]).writeFields(value)
        let isOptional = if case .optional = component.type { true } else { false }
        return KeyWriter.bytes { EqualityComponent.encode(bytes, isOptional: isOptional, into: &$0) }
    }

    /// Returns the number of bytes before the record key in an entry stored whole; nil if the bytes are not an entry of
    /// this index.
    func valueSize(in row: RawSpan) -> Int? {
        do throws(CodingError) {
            let values = try self.row.readKey(row).fields
            return row.byteCount - (try key.writeKey(StoredFields(Array(values.suffix(key.key.count))))).count
        } catch {
            return nil
        }
    }
}
