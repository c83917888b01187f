// A relation as the program declares it.

import TroveCoding

/// A declared relation: its form, its ends, and the identifiers of the entities.
struct LinkDeclaration: Sendable {
    let relation: CatalogRelation
    /// The name of the links with a module, such as `Chats.Message.chat`.
    let name: String
    /// The layout of the links of a new relation.
    let layout: RecordLayout
    /// The layouts of the ends' identifiers.
    let identifiers: [LayoutType]
    /// The prefix of the links, unless another type has it.
    let keyPrefix: UInt32
    /// The former names of the ends' properties in the program, by end.
    let oldNames: [LinkSide: [String]]
    /// The stored names of the other relations that the ends' types declare, by end.
    let otherNames: [LinkSide: Set<String>]

    /// Declares a relation.
    ///
    /// - Parameters:
    ///   - relation: The form and the ends.
    ///   - name: The name of the links with a module.
    ///   - first: The layout of the first end's identifiers.
    ///   - second: The layout of the second end's identifiers.
    ///   - oldNames: The former names of the ends' properties.
    ///   - otherNames: The stored names of the other relations that the ends' types declare.
    init(
        _ relation: CatalogRelation, name: String, first: LayoutType, second: LayoutType,
        oldNames: [LinkSide: [String]] = [:], otherNames: [LinkSide: Set<String>] = [:]
    ) {
        self.relation = relation
        self.name = name
        layout = relation.layout(first: first, second: second)
        identifiers = layout.key.map(\.type)
        keyPrefix = SDBM.hash32(relation.identity)
        self.oldNames = oldNames
        self.otherNames = otherNames
    }

    /// Returns the declared layouts of the identifiers at the ends of a stored relation.
    func identifiers(in stored: CatalogRelation) -> [LayoutType] {
        side(.first, in: stored) == .second ? identifiers.reversed() : identifiers
    }
}
