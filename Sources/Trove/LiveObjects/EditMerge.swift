// The merge of two changed copies of a record, property by property.
//
//     base     name: "Ruby"    age: 30    city: "Fhloston"
//     mine     name: "Rhod"    age: 30    city: "Fhloston"
//     theirs   name: "Ruby"    age: 31    city: "Fhloston"
//     merged   name: "Rhod"    age: 31    city: "Fhloston"
//
// The copies are encoded values. Each field has bytes of its own there, so nothing is decoded.

import LMDB
import TroveCoding

/// The comparison and the merge of encoded values of a record type.
struct EditMerge {
    private let schema: RecordSchema

    init(_ schema: RecordSchema) { self.schema = schema }

    /// Returns the parts in which two values differ; all fields if one of the values cannot be read.
    func difference(_ old: [UInt8], _ new: [UInt8]) -> LiveParts {
        if old == new { return [] }
        var parts: LiveParts = []
        do {
            try forEachDifference(old, new) { parts.insert(.field($0)) }
        } catch {
            return .allFields
        }
        return parts
    }

    /// Returns the names of the fields in which two values differ.
    func changedNames(from old: [UInt8], to new: [UInt8]) -> [String] {
        var names: [String] = []
        do {
            try forEachDifference(old, new) { names.append(schema.fields[$0].name) }
        } catch {
            return schema.fields.map(\.name)
        }
        return names
    }

    private func forEachDifference(_ old: [UInt8], _ new: [UInt8], _ body: (_ field: Int) -> Void) throws {
        try ByteView.with(old) { old in
            try ByteView.with(new) { new in
                var pair = ValuePair()
                pair.set(old, new)
                for index in schema.fields.indices {
                    let isEqual = try pair.skip(schema.fields[index].skip, compares: true)
                    if !isEqual { body(index) }
                }
            }
        }
    }

    /// Returns the value with the fields that are edited in `mine`, and with all others from `theirs`.
    func merge(base: [UInt8], mine: [UInt8], theirs: [UInt8]) throws -> [UInt8] {
        if mine == base || mine == theirs { return theirs }
        if theirs == base { return mine }
        var merged = [UInt8](repeating: 0, count: StoredValue.headerSize)
        var start = [Int](repeating: StoredValue.headerSize, count: 3)
        for end in try fieldEnds(base, mine, theirs) {
            let own = mine[start[1]..<end[1]]
            merged += own == base[start[0]..<end[0]] ? theirs[start[2]..<end[2]] : own
            start = end
        }
        return merged
    }

    /// Returns the ends of the fields of three values, field by field.
    private func fieldEnds(_ first: [UInt8], _ second: [UInt8], _ third: [UInt8]) throws -> [[Int]] {
        try ByteView.with(first) { first in
            try ByteView.with(second) { second in
                try ByteView.with(third) { third in
                    let entries = EntryBatch.Storage(capacity: 3)
                    entries[0] = Entry(ByteView(), first)
                    entries[1] = Entry(ByteView(), second)
                    entries[2] = Entry(ByteView(), third)
                    var run = RecordRun(entries.batch(count: 3))
                    return try schema.fields.map { field in
                        try field.skip(&run)
                        return run.offsets.map { $0 + StoredValue.headerSize }
                    }
                }
            }
        }
    }
}

extension IndexKeyRecord {
    /// Returns the record with the fields that are edited in `mine`, and with all others from `theirs`; nil if that
    /// cannot be decoded.
    ///
    /// - Parameter mine: The encoded value of this record.
    func merged(base: [UInt8], mine: [UInt8], theirs: [UInt8]) -> FoundRecord<Self>? {
        guard let bytes = try? EditMerge(Self.schema).merge(base: base, mine: mine, theirs: theirs) else { return nil }
        if bytes == mine { return FoundRecord(self, bytes: mine) }
        guard let record = try? Self(key: keyBytes, encodedValue: bytes) else { return nil }
        return FoundRecord(record.withRelations(of: self), bytes: bytes)
    }
}
