// Derives index entries from records read by their layout, without the Swift type.

import LMDB
import TroveCoding
import TroveText

/// The properties of an index, found in a layout.
struct LayoutDerivation {
    fileprivate struct Column {
        let name: String
        let form: IndexColumn.Form
        let type: LayoutType
        /// The layout of an element; nil if the column is not one of elements.
        let element: LayoutType?

        /// Returns nil for the elements of a type without elements.
        init?(name: String, form: IndexColumn.Form, type: LayoutType) {
            element = form == .element ? type.element : nil
            if form == .element, element == nil { return nil }
            (self.name, self.form, self.type) = (name, form, type)
        }
    }

    private let columns: [Column]
    /// Whether the index needs the keys of records alone: a closure of the program returns their texts.
    let needsKeysOnly: Bool
    private let rule: EntryRule
    /// The columns and the record's key.
    private let entry: RecordLayout
    private let key: RecordLayout
    /// The components of the record's key in an entry, after the columns.
    private let rest: [LayoutField]
    private let repeatsKey: Bool
    /// Whether the index has a condition. Only its program can evaluate it.
    let isPartial: Bool
    /// The number of properties whose numbers are added up: the last ones.
    let sumCount: Int
    /// The analyzer of a full-text index; nil for other kinds, and for one that only its program knows.
    let analyzer: TextAnalyzer?

    /// Returns nil if the layout lacks a property of the index, or if a property's type describes itself.
    ///
    /// - Parameter analyzers: Analyzers of full-text indexes beside the built-in ones.
    init?(_ index: CatalogIndex, in layout: RecordLayout, among analyzers: [TextAnalyzer] = []) {
        guard let definition = IndexDefinition(parsing: index.definition, in: layout) else { return nil }
        let fields = layout.key + layout.fields
        needsKeysOnly = definition.columns.first?.form == .gathered
        let stored = needsKeysOnly ? [] : definition.columns
        columns = stored.compactMap { column in
            let field = fields.first { $0.name == column.property }
            return field.flatMap { Column(name: column.property, form: column.form, type: $0.type) }
        }
        guard columns.count == stored.count else { return nil }
        rule = EntryRule(index.kind, stored)
        sumCount = definition.sumCount
        isPartial = definition.condition != nil || needsKeysOnly
        analyzer = definition.analyzer.flatMap { TextAnalyzer(definition: $0.text, among: analyzers) }
        key = RecordLayout(key: layout.key, fields: [])
        repeatsKey = index.kind.repeatsKey
        let names = Set(stored.map(\.property))
        rest = repeatsKey ? layout.key : layout.key.filter { !names.contains($0.name) }
        // The key of a row of totals is the columns of the group alone.
        let described = index.kind.hasGroups ? columns.filter { $0.form != .sum } : columns
        entry = RecordLayout(key: described.map(\.field) + (index.kind.hasGroups ? [] : rest), fields: [])
    }

    /// The names and types of the components of an entry, or of a group.
    var entryLayout: String { entry.keyDescription }

    /// Adds the entries of a record. The condition is not evaluated.
    func derive(_ record: StoredFields, _ key: RawSpan, as index: Int, into list: inout IndexEntries) throws {
        let bytes = try columns.map { try $0.bytes(in: record) }
        func add(_ rest: RawSpan) {
            list.add(to: index, rest, rule.split) { writer in
                rule.write(to: &writer) { column, writer in
                    ByteView.with(bytes[column]) { $0.withSpan { writer.writeBytes($0) } }
                }
            }
        }
        if repeatsKey { return add(key) }
        try RecordLayout(key: rest, fields: []).writeKey(record.named(rest)).withRawSpan { add($0) }
    }

    /// Returns the key of the record of an entry stored whole; nil if the bytes are not an entry of this index.
    func recordKey(in entry: RawSpan) -> [UInt8]? {
        if repeatsKey { return valueSize(in: entry).map { copiedBytes(entry.extracting(droppingFirst: $0)) } }
        do throws(CodingError) {
            return try key.writeKey(try self.entry.readKey(entry).named(key.key))
        } catch {
            return nil
        }
    }

    /// Returns the number of bytes before the record's key in an entry stored whole; nil if the bytes are not an entry
    /// of this index.
    func valueSize(in entry: RawSpan) -> Int? {
        do throws(CodingError) {
            let values = try self.entry.readKey(entry).fields
            return entry.byteCount - (try key.writeKey(StoredFields(Array(values.suffix(key.key.count))))).count
        } catch {
            return nil
        }
    }
}

extension LayoutDerivation.Column {
    /// The column as a component of a key.
    var field: LayoutField {
        switch form {
        case .key: LayoutField(name, type)
        case .descendingKey: LayoutField(name, .descending(type))
        case .equality: LayoutField(name, .data)
        case .element: LayoutField(name, element ?? type)
        case .text, .sum, .gathered: LayoutField(name, .data)
        }
    }

    func bytes(in record: StoredFields) throws(CodingError) -> [UInt8] {
        if form == .element { return try elementBytes(in: record) }
        if form == .text { return KeyWriter.bytes { TextColumn.encode(record[name]?.texts ?? [], into: &$0) } }
        if form == .sum {
            return KeyWriter.bytes { SumColumn.write(into: &$0) { SumColumn.encode(record[name], into: &$0) } }
        }
        let value = StoredFields([StoredFields.Field(name, record[name] ?? .null)])
        guard form == .equality else { return try RecordLayout(key: [field], fields: []).writeKey(value) }
        let bytes = try RecordLayout(key: [], fields: [LayoutField(name, type)]).writeFields(value)
        let isOptional = if case .optional = type { true } else { false }
        return KeyWriter.bytes { EqualityComponent.encode(bytes, isOptional: isOptional, into: &$0) }
    }

    private func elementBytes(in record: StoredFields) throws(CodingError) -> [UInt8] {
        let layout = RecordLayout(key: [field], fields: [])
        var elements: [[UInt8]] = []
        for value in record[name]?.elements ?? [] {
            elements.append(try layout.writeKey(StoredFields([StoredFields.Field(name, value)])))
        }
        return KeyWriter.bytes { writer in
            for element in elements {
                ElementEntries.write(to: &writer) { writer in
                    ByteView.with(element) { $0.withSpan { writer.writeBytes($0) } }
                }
            }
        }
    }
}

extension LayoutType {
    /// The layout of an element of an array or a set, or of an optional of either; nil for other types.
    fileprivate var element: LayoutType? {
        switch self {
        case .array(let element), .set(let element): element
        case .optional(let type): type.element
        case .data: .integer(bits: 8, isSigned: false)
        default: nil
        }
    }
}

extension StoredFields {
    /// Returns the values of some fields, in their order.
    fileprivate func named(_ fields: [LayoutField]) -> StoredFields {
        StoredFields(fields.map { StoredFields.Field($0.name, self[$0.name] ?? .null) })
    }
}

extension FieldValue {
    /// The texts of a string, an optional string, or an array of strings.
    var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.texts)
        case .some(let value): value.texts
        default: []
        }
    }

    /// The elements of an array, a set, or an optional of either.
    fileprivate var elements: [FieldValue] {
        switch self {
        case .array(let elements): elements
        case .data(let bytes): bytes.map { .integer(Int128($0)) }
        case .some(let value): value.elements
        default: []
        }
    }
}
