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
        return try compose([base, mine, theirs]) { fields in fields[1] == fields[0] ? 2 : 1 }
    }

    /// Returns the value that the edits began with, after the edited value has followed a newer stored record.
    ///
    /// An edit stays an edit of the record that it began with, unless the newer record has the same field.
    ///
    /// - Parameters:
    ///   - start: The value that the edits began with.
    ///   - stored: The stored value that `mine` differs from.
    ///   - mine: The edited value.
    ///   - theirs: The newer stored value.
    func start(_ start: [UInt8], of mine: [UInt8], on stored: [UInt8], following theirs: [UInt8]) throws -> [UInt8] {
        try compose([start, stored, mine, theirs]) { fields in
            fields[2] != fields[1] && fields[2] == fields[3] ? 3 : 0
        }
    }

    /// Returns the value that the edits began with, after an edit.
    ///
    /// A field that differs from the stored one from now on, and one that no longer does, is based on the stored one.
    ///
    /// - Parameters:
    ///   - start: The value that the edits began with.
    ///   - stored: The stored value.
    ///   - old: The value before the edit.
    ///   - new: The value after the edit.
    func start(_ start: [UInt8], on stored: [UInt8], from old: [UInt8], to new: [UInt8]) throws -> [UInt8] {
        try compose([start, stored, old, new]) { fields in
            (fields[2] == fields[1]) == (fields[3] == fields[1]) ? 0 : 1
        }
    }

    /// Returns a value with fields of several values.
    ///
    /// - Parameter choose: Returns the index of the value that a field is taken from.
    private func compose(_ values: [[UInt8]], _ choose: ([ArraySlice<UInt8>]) -> Int) throws -> [UInt8] {
        var composed = [UInt8](repeating: 0, count: StoredValue.headerSize)
        var start = [Int](repeating: StoredValue.headerSize, count: values.count)
        for end in try fieldEnds(of: values) {
            let fields = values.indices.map { values[$0][start[$0]..<end[$0]] }
            composed += fields[choose(fields)]
            start = end
        }
        return composed
    }

    /// Returns the ends of the fields of several values, field by field.
    private func fieldEnds(of values: [[UInt8]], _ views: [ByteView] = []) throws -> [[Int]] {
        guard views.count == values.count else {
            return try ByteView.with(values[views.count]) { try fieldEnds(of: values, views + [$0]) }
        }
        let entries = EntryBatch.Storage(capacity: views.count)
        for (index, view) in views.enumerated() { entries[index] = Entry(ByteView(), view) }
        return try withExtendedLifetime(entries) {
            var run = RecordRun(entries.batch(count: views.count))
            return try schema.fields.map { field in
                try field.skip(&run)
                return run.offsets.map { $0 + StoredValue.headerSize }
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
        // The callers keep both values apart, and a save of them throws `changedElsewhere`.
        guard let bytes = try? EditMerge(Self.schema).merge(base: base, mine: mine, theirs: theirs) else { return nil }
        if bytes == mine { return FoundRecord(self, bytes: mine) }
        // So do they if the merged record is one that its initializer refuses.
        guard let record = try? Self(key: keyBytes, encodedValue: bytes) else { return nil }
        return FoundRecord(record.withRelations(of: self), bytes: bytes)
    }
}
