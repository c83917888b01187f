// What the history keeps of a deleted record.

import TroveCoding

/// What the history keeps of a deleted record.
///
/// Two tombstones are equal if they are of the same key and have the same stored bytes.
public struct HistoryTombstone<Record: IndexKeyRecord>: Sendable {
    private let key: [UInt8]
    private let stored: StoredTombstone
    private let table: RecordTable

    init?(_ entry: HistoryEntry, _ table: RecordTable?, layout: (UInt32) -> RecordLayout?) {
        guard let table, let stored = StoredTombstone(entry.tombstone, layout: layout) else { return nil }
        (key, self.stored, self.table) = (entry.key, stored, table)
    }

    /// The kept fields by their stored names, in the layout that the record had; nil if only its program can read them.
    ///
    /// - Complexity: O(*n*) in the size of the fields, which are read at each call.
    public var fields: StoredFields? { stored.fields }

    /// The whole record, in the current layout; nil if the history keeps some of its properties, and if the type
    /// cannot read it.
    ///
    /// - Complexity: O(*n*) in the size of the record, which is read at each call.
    public var record: Record? {
        guard let fields = stored.allFields else { return nil }
        var value = [UInt8](repeating: 0, count: StoredValue.headerSize) + fields
        StoredValue.seal(&value, stored.version, key: key, seed: table.checksumSeed)
        do {
            return try key.withRawSpan { key in try value.withRawSpan { try Record.decode(key, $0, table) } }
        } catch {
            return nil
        }
    }

    /// Returns the value of a kept property.
    ///
    /// - Parameter property: A stored property outside the key.
    /// - Returns: Nil if the property is not kept, or had another type when the record was deleted.
    public subscript<Value: Sendable>(property: KeyPath<Record, Value>) -> Value? {
        if let record { return record[keyPath: property] }
        guard let field = Record.schema.fields.first(where: { $0.path?.path == property }),
            let value = fields?[stored.name(of: field)], let coding = field.coding as? PropertyCoding<Value>
        else { return nil }
        do throws(CodingError) {
            let layout = RecordLayout(key: [], fields: [try LayoutField(field.described)])
            let bytes = try layout.writeFields(StoredFields([StoredFields.Field(field.name, value)]))
            return try coding.value(of: bytes)
        } catch {
            return nil
        }
    }
}

extension HistoryTombstone: Equatable {
    /// Returns whether two tombstones are of the same key and have the same stored bytes.
    public static func == (first: HistoryTombstone, second: HistoryTombstone) -> Bool {
        first.key == second.key && first.stored.bytes == second.stored.bytes
    }
}
