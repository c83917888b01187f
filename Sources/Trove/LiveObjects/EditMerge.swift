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

/// Encoded values of one record type, side by side.
struct EditMerge: ~Copyable {
    private let schema: RecordSchema

    init(_ schema: RecordSchema) { self.schema = schema }

    /// Returns the ends of the fields of some values, field by field.
    private func fieldEnds(_ values: [[UInt8]]) throws(CodingError) -> [[Int]] {
        do {
            return try withViews(values[...], []) { views in
                let entries = EntryBatch.Storage()
                for (index, view) in views.enumerated() { entries[index] = Entry(ByteView(), view) }
                var run = RecordRun(entries.batch(count: views.count))
                return try schema.fields.map { field in
                    try field.skip(&run)
                    return run.offsets.map { $0 + StoredValue.headerSize }
                }
            }
        } catch let error as CodingError {
            throw error
        } catch {
            return []
        }
    }

    private func withViews<R>(
        _ values: ArraySlice<[UInt8]>, _ views: [ByteView], _ body: ([ByteView]) throws -> R
    ) throws -> R {
        guard let first = values.first else { return try body(views) }
        return try ByteView.with(first) { try withViews(values.dropFirst(), views + [$0], body) }
    }

    /// Returns the parts in which two values differ.
    func difference(_ old: [UInt8], _ new: [UInt8]) -> LiveParts {
        if old == new { return [] }
        guard let ends = try? fieldEnds([old, new]) else { return .allFields }
        var parts: LiveParts = []
        var (oldStart, newStart) = (StoredValue.headerSize, StoredValue.headerSize)
        for (index, end) in ends.enumerated() {
            if old[oldStart..<end[0]] != new[newStart..<end[1]] { parts.insert(.field(index)) }
            (oldStart, newStart) = (end[0], end[1])
        }
        return parts
    }

    /// Returns the value with the fields that are edited in `mine`, and with all others from `theirs`.
    func merge(base: [UInt8], mine: [UInt8], theirs: [UInt8]) throws(CodingError) -> [UInt8] {
        if mine == base || mine == theirs { return theirs }
        if theirs == base { return mine }
        var merged = [UInt8](repeating: 0, count: StoredValue.headerSize)
        var start = [Int](repeating: StoredValue.headerSize, count: 3)
        for end in try fieldEnds([base, mine, theirs]) {
            let own = mine[start[1]..<end[1]]
            merged += own == base[start[0]..<end[0]] ? theirs[start[2]..<end[2]] : own
            start = end
        }
        return merged
    }

    /// Returns the names of the fields that are edited in `mine`, and have other values in `theirs` than in `base`.
    func changedNames(from base: [UInt8], to other: [UInt8]) -> [String] {
        guard let ends = try? fieldEnds([base, other]) else { return [] }
        var (baseStart, otherStart) = (StoredValue.headerSize, StoredValue.headerSize)
        return zip(schema.fields, ends).compactMap { field, end in
            defer { (baseStart, otherStart) = (end[0], end[1]) }
            return base[baseStart..<end[0]] == other[otherStart..<end[1]] ? nil : field.name
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
