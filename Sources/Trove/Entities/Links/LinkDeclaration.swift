// A relation as the program declares it.

import TroveCoding

/// A declared relation: its form, its ends, and the identifiers of the entities.
struct LinkDeclaration: Sendable {
    let relation: CatalogRelation
    /// The name of the links with a module, such as `Chats.Message.chat`.
    let name: String
    /// The layout of the links of a new relation.
    let layout: RecordLayout
    /// The prefix of the links, unless another type has it.
    let keyPrefix: UInt32
    /// The former names of the ends' properties in the program, by end.
    let oldNames: [LinkSide: [String]]

    /// Declares a relation.
    ///
    /// - Parameters:
    ///   - relation: The form and the ends.
    ///   - name: The name of the links with a module.
    ///   - first: The layout of the first end's identifiers.
    ///   - second: The layout of the second end's identifiers.
    ///   - oldNames: The former names of the ends' properties.
    init(
        _ relation: CatalogRelation, name: String, first: LayoutType, second: LayoutType,
        oldNames: [LinkSide: [String]] = [:]
    ) {
        self.relation = relation
        self.name = name
        layout = relation.layout(first: first, second: second)
        keyPrefix = SDBM.hash32(relation.identity)
        self.oldNames = oldNames
    }

    /// Returns the side of a stored relation that is a declared side; nil if it is another relation.
    func side(_ side: LinkSide, in stored: CatalogRelation) -> LinkSide? {
        if matches(stored, swapped: false) { return side }
        return matches(stored, swapped: true) ? side.other : nil
    }

    /// Returns whether a stored relation is this relation, possibly under older names of its properties.
    private func matches(_ stored: CatalogRelation, swapped: Bool) -> Bool {
        LinkSide.allCases.allSatisfy { side in
            let (declared, end) = (relation[side], stored[swapped ? side.other : side])
            return declared.keyPrefix == end.keyPrefix
                && (declared.property == end.property
                    || end.property.map { (oldNames[side] ?? []).contains($0) } ?? false)
        }
    }
}
