// A change of a record in the history of a store.

import LMDB
import TroveCoding

/// A change of a record in a commit.
///
/// Later versions can add cases.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum HistoryChange<Record: IndexKeyRecord>: Sendable {
    /// The record is new.
    case inserted(Record.IndexKey)
    /// The record was stored before, and has been written again.
    case updated(Record.IndexKey)
    /// The record was deleted. The tombstone is what the history keeps of it, by
    /// ``HistoryPolicy/keepingDeleted(_:_:)``; nil for nothing.
    case deleted(Record.IndexKey, Tombstone<Record>?)
    /// Any record of the type may have changed: the keys of the type have got another layout in this commit or later.
    /// Read all records of the type again.
    case any

    /// The key of the record; nil for any record.
    public var key: Record.IndexKey? {
        switch self {
        case .inserted(let key), .updated(let key), .deleted(let key, _): key
        case .any: nil
        }
    }
}

extension HistoryChange: CustomStringConvertible {
    /// The kind and the key, such as `inserted(1)`.
    public var description: String {
        switch self {
        case .inserted(let key): "inserted(\(key))"
        case .updated(let key): "updated(\(key))"
        case .deleted(let key, _): "deleted(\(key))"
        case .any: "any"
        }
    }
}

/// What the history keeps of a deleted record.
public struct Tombstone<Record: IndexKeyRecord>: Sendable {
    /// The kept fields by their stored names, in the layout that the record had; nil if only its program can read them.
    public let fields: StoredFields?
    /// The whole record, in the current layout; nil if the history keeps some of its properties, and if the type
    /// cannot read it.
    public let record: Record?

    init?(_ entry: HistoryEntry, _ table: RecordTable?, layout: (UInt32) -> RecordLayout?) {
        guard let bytes = entry.tombstone, let table, let kept = HistoryTombstone.read(bytes, layout) else {
            return nil
        }
        fields = kept.fields
        record = kept.all.flatMap { Self.record(entry.key, fields: $0, kept.version, table) }
    }

    /// Returns a deleted record; nil if the type cannot read it.
    private static func record(
        _ key: [UInt8], fields: [UInt8], _ version: UInt32, _ table: RecordTable
    ) -> Record? {
        var value = [UInt8](repeating: 0, count: StoredValue.headerSize) + fields
        StoredValue.seal(&value, version, key: key, seed: table.checksumSeed)
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
            let value = fields?[field.name], let coding = field.coding as? PropertyCoding<Value>
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
