// An index: entries that follow from the records of a type, kept up to date with them.
//
// A kind of table writes one thing alone, `derive`: which entries follow from a record. Insert, update, delete, build,
// rebuild and check are the same for all kinds, and all go by what it gives.

import TroveCoding

/// What an index is called, and what its entries mean: without the type of the records.
@usableFromInline
struct IndexDescriptor: Hashable, Sendable {
    let kind: IndexKind
    /// The properties, such as `lastName,firstName desc`, and the condition where there is one.
    let name: String
    /// What its entries are made of. When it changes, the table is built anew.
    let definition: String
    /// The stored names of its properties, and those of older layouts.
    let properties: [String]
    var oldProperties: [String] = []
    /// Whether it is left to a closure what happens to a second record with the same values, so that both may stay.
    var allowsDuplicates = false

    /// Whether no two records may have the same values.
    var forbidsDuplicates: Bool { kind == .unique && !allowsDuplicates }

    /// As errors and plans show it.
    var text: String { "\(kind)(\(name))" }
}

/// How the entries of a table follow from records: without the type of the records, which generic code would ask for
/// again and again.
@usableFromInline
@safe struct IndexDerivation: Sendable {
    /// Writes the value of a record, which lies at the pointer; gives whether it has an entry.
    @usableFromInline let encode: @Sendable (UnsafeRawPointer, inout KeyWriter) -> Bool

    @inlinable
    init<Record>(_ encode: @escaping @Sendable (Record, inout KeyWriter) -> Bool) {
        unsafe self.encode = { record, writer in
            unsafe encode(record.assumingMemoryBound(to: Record.self).pointee, &writer)
        }
    }
}

/// A table of entries that follow from the records of a type.
///
/// `#Index` and `#Unique` make these; a conformance by hand lists them in ``IndexKeyRecord/indexes``.
public struct RecordIndex<Record: IndexKeyRecord>: Sendable {
    @usableFromInline let descriptor: IndexDescriptor
    /// What an entry consists of, before the record's key.
    let properties: [IndexedProperty<Record>]
    /// Which records have entries; nil for all.
    let condition: IndexCondition<Record>?
    /// What to do about a second record with the same values; nil where that is no concern.
    let collisions: CollisionRule<Record>?

    /// How its entries follow from records.
    let derivation: IndexDerivation

    @usableFromInline
    init(
        _ kind: IndexKind, _ properties: [IndexedProperty<Record>], _ condition: IndexCondition<Record>?,
        _ collisions: CollisionRule<Record>?, _ derivation: IndexDerivation
    ) {
        let suffix = condition.map { " where \($0.text)" } ?? ""
        descriptor = IndexDescriptor(
            kind: kind, name: properties.map(\.name).joined(separator: ",") + suffix,
            definition: properties.map(\.layout).joined(separator: ",") + suffix,
            properties: properties.map(\.storedName), allowsDuplicates: collisions?.allowsDuplicates ?? false)
        self.properties = properties
        self.condition = condition
        self.collisions = collisions
        self.derivation = derivation
    }

    /// An index: records in the order of these properties.
    ///
    /// - Parameters:
    ///   - properties: What it is sorted by, the most important first.
    ///   - condition: Which records are in it; nil for all.
    @inlinable
    public static func index(
        _ properties: [IndexedProperty<Record>], where condition: IndexCondition<Record>? = nil
    ) -> RecordIndex {
        let derivation = IndexDerivation { (record: Record, writer) in
            if let condition, !condition.holds(record) { return false }
            for property in properties { property.encode(record, &writer) }
            return true
        }
        return RecordIndex(.index, properties, condition, nil, derivation)
    }

    /// A unique constraint: no two records have the same values of these properties. Nil is free.
    ///
    /// - Parameters:
    ///   - properties: What must be unique, taken together.
    ///   - collisions: What happens when a record is saved whose values another one has.
    ///   - condition: Which records it is about; nil for all.
    @inlinable
    public static func unique(
        _ properties: [IndexedProperty<Record>], collisions: CollisionRule<Record>,
        where condition: IndexCondition<Record>? = nil
    ) -> RecordIndex {
        let derivation = IndexDerivation { (record: Record, writer) in
            if let condition, !condition.holds(record) { return false }
            var isFree = false
            for property in properties {
                let start = writer.offset
                property.encode(record, &writer)
                if let nilByte = property.nilByte, writer.byte(at: start) == nilByte { isFree = true }
            }
            return !isFree
        }
        return RecordIndex(.unique, properties, condition, collisions, derivation)
    }
}

extension RecordIndex {
    /// How many bytes of a row that is a whole entry come before the record's key; nil where it is no row of this
    /// table.
    func valueSize(in row: RawSpan) -> Int? {
        do throws(CodingError) {
            return try KeyReader.read(row) { (reader) throws(CodingError) in
                for property in properties { try property.skip(&reader) }
                let size = reader.offset
                try reader.skip(row.byteCount - size)
                return size < row.byteCount ? size : nil
            }
        } catch {
            return nil
        }
    }
}

/// Which records a partial table has.
public struct IndexCondition<Record: IndexKeyRecord>: Sendable {
    let text: String
    /// What a query must ask for at least, so that all it wants is in the table. Made where it is asked for: a filter
    /// needs the type's schema.
    let filter: (@Sendable () -> Filter<Record>)?
    /// Whether the filter matches all of them.
    let isExact: Bool
    @usableFromInline let holds: @Sendable (Record) -> Bool

    /// A condition by whose table no query goes: nothing is known of it.
    ///
    /// - Parameters:
    ///   - text: The condition's own text: when it changes, the table is another one.
    ///   - holds: Whether a record is in the table. It must not depend on anything but the record.
    public init(_ text: String, _ holds: @escaping @Sendable (Record) -> Bool) {
        self.text = text
        filter = nil
        isExact = false
        self.holds = holds
    }

    /// A condition that a filter says too.
    ///
    /// - Parameters:
    ///   - text: The condition's own text: when it changes, the table is another one.
    ///   - filter: A filter that matches no record for which the condition does not hold.
    ///   - isExact: Whether it matches every record for which the condition holds, so that it need not be asked of the
    ///     table's records.
    ///   - holds: Whether a record is in the table. It must not depend on anything but the record.
    public init(
        _ text: String, filter: @autoclosure @escaping @Sendable () -> Filter<Record>, isExact: Bool = false,
        _ holds: @escaping @Sendable (Record) -> Bool
    ) {
        self.text = text
        self.filter = filter
        self.isExact = isExact
        self.holds = holds
    }
}

/// A property by which an index is sorted.
///
/// Its closure has to give the very property that it names, and nothing else. A record that is saved anew with the same
/// stored bytes of that property keeps its entry: where the closure reads another one as well, the entry then goes
/// stale, queries no longer find the record by it, and ``Store/check()`` tells. Nor does the table know, when its
/// type's layout is compared, what else its entries were made of.
public struct IndexedProperty<Record: IndexKeyRecord>: Sendable {
    let name: String
    /// Made where it is asked for: one of an actor's type is not Sendable.
    let path: @Sendable () -> PartialKeyPath<Record>
    let layout: String
    /// The first byte of nil; nil where there is no such value.
    @usableFromInline let nilByte: UInt8?
    @usableFromInline let encode: @Sendable (Record, inout KeyWriter) -> Void
    let skip: @Sendable (inout KeyReader) throws(CodingError) -> Void
    /// How it is read of many records at once; nil where records have to be decoded for it.
    let column: @Sendable () -> PropertyColumns.Read?

    /// A property that is sorted by its value.
    ///
    /// - Parameters:
    ///   - name: Its stored name, with ` desc` behind it where it sorts downwards.
    ///   - path: The property, with `.desc` behind it where it sorts downwards.
    ///   - value: Its value: what stands at the path, and depends on nothing else.
    @inlinable
    public init<Value: KeyComponent>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Value>,
        _ value: @escaping @Sendable (Record) -> Value
    ) {
        let type = LayoutBuilder.text(of: Value.self)
        self.init(
            name, name + ":" + type, path, nilByte: Self.nilByte(of: type),
            encode: { record, writer in value(record).encodeKey(into: &writer) },
            skip: { reader throws(CodingError) in try Value.skipKey(in: &reader) },
            column: { PropertyColumns.read(path()) { $0.encodeKey(into: &$1) } })
    }

    /// A property that is sorted by its value, as generated code has it.
    ///
    /// - Parameters:
    ///   - name: Its stored name.
    ///   - path: The property.
    ///   - coding: How it is stored, which matters to a type without an order alone.
    ///   - value: Its value.
    @inlinable
    public init<Coding: CanonicalFieldCoding>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Coding.Value>,
        _ coding: Coding.Type, _ value: @escaping @Sendable (Record) -> Coding.Value
    ) where Coding.Value: KeyComponent {
        self.init(name, path(), value)
    }

    /// The name without the order.
    fileprivate var storedName: String {
        // A type of the order says so too: a property may be named so itself.
        layout.hasPrefix("\(name):desc<") && name.hasSuffix(" desc") ? String(name.dropLast(5)) : name
    }

    @usableFromInline
    init(
        _ name: String, _ layout: String, _ path: @escaping @Sendable () -> PartialKeyPath<Record>, nilByte: UInt8?,
        encode: @escaping @Sendable (Record, inout KeyWriter) -> Void,
        skip: @escaping @Sendable (inout KeyReader) throws(CodingError) -> Void,
        column: @escaping @Sendable () -> PropertyColumns.Read? = { nil }
    ) {
        self.name = name
        self.layout = layout
        self.path = path
        self.nilByte = nilByte
        self.encode = encode
        self.skip = skip
        self.column = column
    }
}

extension IndexedProperty {
    /// The first key byte of nil in a layout; nil where there is no such value, or where only its own type reads it.
    @usableFromInline
    static func nilByte(of layout: String) -> UInt8? {
        do throws(CodingError) {
            return try RecordLayout("(){value:\(layout)}").fields.first?.type.nilByte
        } catch {
            return nil
        }
    }
}

extension LayoutType {
    /// The first key byte of nil.
    fileprivate var nilByte: UInt8? {
        switch self {
        case .optional: 0
        case .descending(let base): base.nilByte.map { ~$0 }
        default: nil
        }
    }
}
