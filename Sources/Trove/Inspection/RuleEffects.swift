// The effects of the automatic rules on the records of an older layout, without the record's Swift type.

import LMDB
import TroveCoding

/// The effects of the automatic rules between two layouts of a type, as far as the store knows.
package struct RuleEffects: Sendable {
    /// The fields without a rule: the program decides their values.
    package private(set) var undecided: [ConversionError] = []
    /// The changes of the other fields.
    package private(set) var changes: [FieldChange] = []
    /// The dropped fields with the number of their values, after ``ReadContext/countLosses(of:_:)``. A field inside a
    /// value has a path.
    package fileprivate(set) var losses: [FieldLoss] = []

    fileprivate let old: RecordLayout
    fileprivate private(set) var dropped: DroppedFields?
    /// The components and fields of the old layout in which dropped fields are searched.
    private var kept: [Int] = []

    /// Plans a conversion; a field without a rule is left out of both layouts.
    package init(from old: RecordLayout, to new: RecordLayout) {
        self.old = old
        kept = Array((old.key + old.fields).indices)
        var (rest, target) = (old, new)
        while true {
            do throws(ConversionError) {
                let conversion = try RecordConversion(from: rest, to: target)
                (changes, dropped) = (conversion.changes, conversion.dropped)
                return
            } catch {
                undecided.append(error)
                // The error gives the path of a field inside a value: then the whole value is left out.
                let field = error.field.split(separator: ".").first.map(String.init) ?? error.field
                let smaller = (rest.without(field), target.without(field))
                guard smaller != (rest, target) else { return }
                (rest, target) = smaller
                let sources = old.key + old.fields
                kept.removeAll { sources[$0].name == field }
            }
        }
    }

    /// A line for each field without a rule.
    package var undecidedLines: [String] {
        undecided.map { error in
            switch error.reason {
            case .noDefault: "\(error.field) is new: the program decides its value in old records"
            case .differentTypes(let old, let new):
                "\(error.field) was \(old), is \(new): the program decides the conversion"
            default: "\(error)"
            }
        }
    }

    /// Returns the indices of the dropped fields that have a value in a record of the old layout.
    fileprivate func found(in record: StoredFields) -> Set<Int> {
        dropped?.found(in: StoredFields(kept.map { record.fields[$0] })) ?? []
    }
}

extension RecordLayout {
    /// Returns the layout without the properties of this name.
    fileprivate func without(_ name: String) -> RecordLayout {
        RecordLayout(key: key.filter { $0.name != name }, fields: fields.filter { $0.name != name })
    }
}

extension ReadContext {
    /// Counts the values of the fields that the rules drop.
    ///
    /// Records with a field that only the program can read are not counted.
    ///
    /// - Parameters:
    ///   - type: An element of ``storedTypes()``.
    ///   - effects: The effects on the records of each older version.
    /// - Throws: ``StoreError/RecordError/checksumMismatch(type:key:)`` and
    ///   ``StoreError/RecordError/corrupted(type:key:reason:)`` for a damaged record.
    /// - Complexity: O(*n*) in the number of records, if a field is dropped.
    package final func countLosses(of type: StoredType, _ effects: inout [UInt32: RuleEffects]) throws {
        var counts = effects.compactMapValues { effect in
            effect.old.unknownPart == nil
                ? effect.dropped.map { [Int](repeating: 0, count: $0.names.count) } : nil
        }
        guard !counts.isEmpty else { return }
        try forEachStoredValue(of: type) { key, value, version in
            guard counts[version] != nil, let effect = effects[version] else { return true }
            let fields: StoredFields
            do throws(CodingError) {
                fields = try effect.old.read(
                    key: key, fields: value.extracting(droppingFirst: StoredValue.headerSize))
            } catch {
                throw StoreError(reading: type.storedKey(copiedBytes(key)), error)
            }
            for name in effect.found(in: fields) { counts[version]?[name] += 1 }
            return true
        }
        for (version, numbers) in counts {
            let names = effects[version]?.dropped?.names ?? []
            effects[version]?.losses = zip(names, numbers).map {
                FieldLoss(type: type.name, field: $0, records: $1)
            }
        }
    }
}
