// A range of keys, given as the texts of their components.

import LMDB
import TroveCoding

/// A range of keys of stored records.
public struct StoredKeyRange: Hashable, Sendable {
    let range: ScanRange

    /// Creates a range from the first components of its bounds; without arguments, the range of all keys.
    ///
    /// A bound is the texts of its components, each by itself, or the single text of a whole key as errors and findings
    /// print it: `id: 19999` or `(lastName: "Dallas", firstName: "Korben")`. See ``StoredKey``.
    ///
    /// - Parameters:
    ///   - type: The type of the records.
    ///   - lower: The first components of the lower bound, as text; empty to begin with the first key.
    ///   - upper: The first components of the exclusive upper bound; empty for no upper bound.
    ///   - isDescending: Whether the records are read from the greatest key to the least.
    /// - Throws: ``StoreError/QueryError/wrongKeyComponents(type:given:key:)`` if there are more texts than components;
    ///   ``StoreError/QueryError/notAComponent(type:component:layout:text:)`` if a text is not a value of its
    ///   component; ``StoreError/RecordError/keyTooLarge(type:size:limit:)``.
    public init(
        of type: StoredType, from lower: [String] = [], upTo upper: [String] = [], isDescending: Bool = false
    ) throws {
        let layout = try type.layout(of: nil)
        range = ScanRange(
            from: try type.keyBytes(lower, layout), upTo: upper.isEmpty ? nil : try type.keyBytes(upper, layout),
            isDescending: isDescending)
    }
}

extension StoredKeyRange {
    /// Creates a range from the bytes of keys.
    ///
    /// - Parameters:
    ///   - lower: The lower bound; empty to begin with the first key.
    ///   - upper: The exclusive upper bound; nil for no upper bound.
    package init(fromBytes lower: [UInt8], upTo upper: [UInt8]? = nil, isDescending: Bool = false) {
        range = ScanRange(from: lower, upTo: upper, isDescending: isDescending)
    }

    /// The bytes of the lower bound; empty for no lower bound.
    package var lowerBytes: [UInt8] { range.lower }
}

extension StoredType {
    /// Returns the bytes of the first components of a key.
    fileprivate func keyBytes(_ texts: [String], _ layout: RecordLayout) throws -> [UInt8] {
        guard texts.count <= layout.key.count else {
            throw StoreError.query(
                .wrongKeyComponents(type: name, given: texts.joined(separator: ","), key: keyLayout))
        }
        do {
            let values = try components(texts, layout)
            return try RecordLayout(key: Array(layout.key.prefix(values.fields.count)), fields: []).writeKey(values)
        } catch let error as CodingError {
            throw StoreError(writing: name, error)
        }
    }

    private func components(_ texts: [String], _ layout: RecordLayout) throws -> StoredFields {
        if texts.count == 1, let key = layout.keyComponents(texts[0]) { return key }
        return StoredFields(
            try zip(layout.key, texts).map { component, text in
                StoredFields.Field(component.name, try value(of: component, text))
            })
    }

    private func value(of component: LayoutField, _ text: String) throws -> FieldValue {
        do {
            return try FieldValue(text: text, as: component.type)
        } catch {
            throw StoreError.query(
                .notAComponent(type: name, component: component.name, layout: "\(component.type)", text: text))
        }
    }
}
