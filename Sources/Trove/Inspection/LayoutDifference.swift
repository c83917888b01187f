// The differences of two stored layouts, field by field.

import TroveCoding

/// A difference of a field between two layouts.
package struct LayoutDifference: Hashable, Sendable {
    /// The kind of a difference.
    package enum Kind: Hashable, Sendable {
        /// The field is only in the newer layout.
        case added(LayoutType)
        /// The field is only in the older layout.
        case removed(LayoutType)
        /// The field has another type.
        case changed(from: LayoutType, to: LayoutType)
        /// The field has become a component of the key.
        case movedIntoKey
        /// The component of the key has become a field.
        case movedOutOfKey
        /// The components or the fields have another order.
        case reordered
    }

    /// The name of the field.
    package let name: String
    /// Whether the field is a component of the key; if it is removed, of the old key.
    package let isKey: Bool
    package let kind: Kind
}

extension LayoutDifference: CustomStringConvertible {
    /// A single line for people to read.
    package var description: String {
        let name = isKey ? "\(name), in the key," : name
        return switch kind {
        case .added(let type): "\(name) is added: \(type)"
        case .removed(let type): "\(name) is removed: \(type)"
        case .changed(let old, let new): "\(name) was \(old), is \(new)"
        case .movedIntoKey: "\(name) was a field"
        case .movedOutOfKey: "\(name) was in the key"
        case .reordered: "\(name) has another place"
        }
    }
}

extension LayoutDifference {
    /// Returns the differences of two layouts. Fields are compared by their names.
    ///
    /// - Complexity: O(*n*) in the number of fields.
    package static func all(from old: RecordLayout, to new: RecordLayout) -> [LayoutDifference] {
        let before = places(in: old)
        let after = places(in: new)
        var differences: [LayoutDifference] = []
        for (isKey, fields) in [(true, new.key), (false, new.fields)] {
            // The place before of the last field that has kept its place among the others.
            var last = -1
            for field in fields {
                func add(_ kind: Kind) {
                    differences.append(LayoutDifference(name: field.name, isKey: isKey, kind: kind))
                }
                guard let was = before[field.name] else {
                    add(.added(field.type))
                    continue
                }
                if was.field.type != field.type { add(.changed(from: was.field.type, to: field.type)) }
                if was.isKey != isKey {
                    add(isKey ? .movedIntoKey : .movedOutOfKey)
                } else if was.ordinal < last {
                    add(.reordered)
                } else {
                    last = was.ordinal
                }
            }
        }
        for (isKey, fields) in [(true, old.key), (false, old.fields)] {
            for field in fields where after[field.name] == nil {
                differences.append(LayoutDifference(name: field.name, isKey: isKey, kind: .removed(field.type)))
            }
        }
        return differences
    }

    private static func places(
        in layout: RecordLayout
    ) -> [String: (field: LayoutField, isKey: Bool, ordinal: Int)] {
        let fields = layout.key.map { ($0, true) } + layout.fields.map { ($0, false) }
        return fields.enumerated().reduce(into: [:]) { places, entry in
            places[entry.element.0.name] = (entry.element.0, entry.element.1, entry.offset)
        }
    }
}
