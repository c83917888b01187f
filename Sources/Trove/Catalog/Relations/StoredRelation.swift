// A relation of a store, with the schema of its links.

import TroveCoding

/// A relation of a store.
struct StoredRelation: Sendable {
    let relation: CatalogRelation
    /// The schema of the links.
    let schema: RecordSchema
    /// The layouts of the ends' identifiers.
    let identifiers: [LayoutType]
    /// Whether a program is rewriting the links.
    let isBeingRewritten: Bool

    /// - Parameter identifiers: The layouts of the ends' identifiers.
    init(
        _ relation: CatalogRelation, _ schema: RecordSchema, identifiers: [LayoutType], isBeingRewritten: Bool = false
    ) {
        self.relation = relation
        self.identifiers = identifiers
        self.schema = schema
        self.isBeingRewritten = isBeingRewritten
    }

    /// Creates a relation from its entry, and the entry of its links' type.
    ///
    /// - Throws: ``StoreError/RecordError/corrupted(type:key:reason:)`` if the type is missing, and
    ///   ``StoreError/SchemaError/layoutDamaged(type:layout:reason:)`` if its layout is not a layout of such links.
    init(
        _ relation: CatalogRelation, keyPrefix: UInt32, _ links: CatalogType?, isBeingRewritten: Bool = false
    ) throws(StoreError) {
        guard let links, let version = links.newestVersion, let text = links.layouts[version]?.text else {
            throw StoreError.record(
                .corrupted(
                    type: "catalog", key: StoredKey([], of: "catalog"),
                    reason: CodingError(.malformed(expected: "the type of the links \(relation.identity)"))))
        }
        do throws(CodingError) {
            let layout = try RecordLayout(text)
            guard relation.fits(layout) else { throw CodingError(.malformed(expected: "a layout of links")) }
            self.init(
                relation,
                RecordSchema(relation, name: links.qualifiedName, keyPrefix: keyPrefix, layout),
                identifiers: layout.key.map(\.type), isBeingRewritten: isBeingRewritten)
        } catch {
            throw StoreError.schema(.layoutDamaged(type: links.qualifiedName, layout: text, reason: error))
        }
    }
}

extension CatalogRelation {
    /// Returns whether links of this form can have a layout.
    fileprivate func fits(_ layout: RecordLayout) -> Bool {
        layout.key.count == 2 && layout.fields.map(\.type) == positions
    }
}
