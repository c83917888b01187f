// The byte ranges of a filter for a component of an access path.

import TroveCoding

extension FilterTree {
    /// Returns the byte ranges allowed by the tree for a component.
    func bounds(on component: PathComponent) -> ByteRanges? { bounds(on: component.property, as: component.form) }

    /// Returns the byte ranges allowed by the tree for a property. Nil if the tree names other properties, or if byte
    /// ranges cannot express it.
    ///
    /// The ranges of elements are different: a record matches if any of its elements is within them. So only `or` can
    /// combine them.
    func bounds(on property: StoredProperty?, as form: PathComponent.Form) -> ByteRanges? {
        switch self {
        case .condition(let condition): condition.bounds(on: property, as: form)
        case .keys, .closure: nil
        case .and(_) where form == .element, .not(_) where form == .element: nil
        case .and(let parts): Self.bounds(of: parts.all, on: property, form).flatMap(ByteRanges.intersection(of:))
        case .or(let parts): Self.bounds(of: parts.all, on: property, form).flatMap(ByteRanges.union(of:))
        case .not(let part): part.bounds(on: property, as: form)?.complement()
        }
    }

    /// Returns the byte ranges of each part; nil if a part has none.
    private static func bounds(
        of parts: [FilterTree], on property: StoredProperty?, _ form: PathComponent.Form
    ) -> [ByteRanges]? {
        var bounds: [ByteRanges] = []
        for part in parts {
            guard let next = part.bounds(on: property, as: form) else { return nil }
            bounds.append(next)
        }
        return bounds
    }

    /// Returns the bytes of a property, in ascending order, if the tree allows a single value for it; otherwise nil.
    func value(of property: StoredProperty?, as form: PathComponent.Form = .key) -> [UInt8]? {
        bounds(on: property, as: form)?.singleValue
    }
}

extension Condition {
    /// Returns the byte ranges allowed by the condition for a property, in the encoding of a component.
    func bounds(on property: StoredProperty?, as form: PathComponent.Form) -> ByteRanges? {
        guard self.property == property else { return nil }
        switch form {
        case .key: return isOfElements ? nil : bounds
        case .element: return isOfElements ? bounds : nil
        case .field(let isOptional):
            return field.map { field in
                ByteRanges(
                    value: KeyWriter.bytes { EqualityComponent.encode(field, isOptional: isOptional, into: &$0) })
            }
        }
    }
}
