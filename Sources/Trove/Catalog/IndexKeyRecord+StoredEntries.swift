// The index entries of stored records.
//
// Entries follow from a record's bytes. So a record that is intact, but that its type cannot decode (a case of an enum
// was removed), has entries, too: they are derived by the layout of the type, without its decoder.

import LMDB
import TroveCoding

/// The source of the derived entries of a stored record.
enum EntrySource {
    /// The decoded record.
    case record
    /// The bytes: the type cannot decode the record. The conditions of indexes are not evaluated.
    case bytes
    /// There is none: not even the layout can be read without the type. Nothing is derived.
    case none
}

extension IndexKeyRecord {
    /// Adds the entries of a stored record for some indexes.
    ///
    /// - Throws: ``StoreError`` for a damaged record that cannot be decoded, and for a version without a conversion.
    static func deriveStored(
        _ key: RawSpan, _ value: RawSpan, in table: RecordTable, for indexes: IndexMask, into list: inout IndexEntries
    ) throws -> EntrySource {
        do {
            derive(try decode(key, value, table), key, indexes, into: &list)
            return .record
        } catch  where error.isOfRecord && table.isIntact(key, value) {
            return try deriveByLayout(key, value, in: table, for: indexes, into: &list) ? .bytes : .none
        }
    }

    /// Adds the entries of an intact record, from its bytes, for some indexes. Returns false if they cannot be derived.
    ///
    /// - Parameters:
    ///   - includingPartial: Whether the entries of indexes with a condition are added: without an evaluation of the
    ///     condition.
    ///   - place: The only index, by its position; nil for all of the mask.
    static func deriveByLayout(
        _ key: RawSpan, _ value: RawSpan, in table: RecordTable, for indexes: IndexMask,
        includingPartial: Bool = true, only place: Int? = nil, into list: inout IndexEntries
    ) throws -> Bool {
        list.removeAll()
        do {
            let layout = try schema.parsedLayout()
            var converted = EncodedRecord()
            let fields = value.extracting(droppingFirst: StoredValue.headerSize)
            let version = try table.version(of: key, value)
            if version != table.fieldsVersion {
                guard case .rules(let migration) = try method(for: key, fields, from: version, in: table),
                    table.keepsKeys
                else { return false }
                try migration.convert(key, fields, into: &converted)
            }
            let record =
                version == table.fieldsVersion
                ? try layout.read(key: key, fields: fields)
                : try converted.fields.withRawSpan { (fields) throws(CodingError) in
                    try layout.read(key: key, fields: fields)
                }
            for (other, index) in table.indexes.enumerated() where indexes.contains(other) && other == place ?? other {
                guard let declared = table.type.indexes[index.number],
                    let derivation = LayoutDerivation(declared, in: layout)
                else { return false }
                if derivation.isPartial, !includingPartial { continue }
                try derivation.derive(record, key, as: other, into: &list)
            }
            return true
        } catch  where error.isOfRecord {
            list.removeAll()
            return false
        }
    }

    /// Adds the entries of a stored record for an index; none if the record is damaged and cannot be decoded.
    ///
    /// - Parameter includingPartial: Whether a record that the type cannot decode has an entry although the condition
    ///   of the index cannot be evaluated.
    static func deriveUnlessDamaged(
        _ key: RawSpan, _ value: RawSpan, in table: RecordTable, for index: Int, includingPartial: Bool,
        into list: inout IndexEntries
    ) throws {
        list.removeAll()
        do {
            indexes[index].derive(try decode(key, value, table), key, as: index, into: &list)
        } catch {
            guard table.isIntact(key, value) else { return }
            guard error.isOfRecord else { throw error }
            _ = try deriveByLayout(
                key, value, in: table, for: .all, includingPartial: includingPartial, only: index, into: &list)
        }
    }
}

extension Error {
    /// Whether the error of decoding an intact record is about the values of this record alone. Other errors are about
    /// its version, the transaction or the system.
    var isOfRecord: Bool {
        switch self as? StoreError {
        case .record(.unreadable)?, .schema(.unconvertible)?, .record(.corrupted)?: true
        case nil: !(self is LMDBError || self is CancellationError)
        default: false
        }
    }
}
