// The difference between a stored relation and its declaration.

import TroveCoding

/// A stored relation, and the relation that its declaration makes of it.
struct RelationDifference: Sendable {
    let source: CatalogRelation
    let target: CatalogRelation
    /// Whether the target's first end is the source's second end.
    let isSwapped: Bool
    /// Whether the links get other identifiers.
    let changesIdentifiers: Bool

    /// - Parameter changesIdentifiers: Whether the links get other identifiers.
    /// - Returns: Nil if the declared relation is another relation, or does not differ from the stored relation.
    init?(_ declared: LinkDeclaration, over stored: CatalogRelation, changesIdentifiers: Bool = false) {
        self.changesIdentifiers = changesIdentifiers
        guard let first = declared.side(.first, in: stored) else { return nil }
        // The ends of a pair and of two lists keep their order.
        let keepsOrder = declared.relation.form == stored.form && (stored.form == .pair || stored.form == .lists)
        isSwapped = first == .second && !keepsOrder
        let isReordered = first == .second && keepsOrder
        var target = isReordered ? declared.relation.swapped : declared.relation
        for side in LinkSide.allCases {
            target[side].adoptNames(
                of: stored[isSwapped ? side.other : side],
                renamedFrom: declared.oldNames[isReordered ? side.other : side] ?? [])
        }
        guard target != stored || isSwapped || changesIdentifiers else { return nil }
        source = stored
        self.target = target
    }

    /// The side of the source that becomes a side of the target.
    func source(of side: LinkSide) -> LinkSide { isSwapped ? side.other : side }

    /// Whether the links have other bytes.
    var rewritesLinks: Bool { source.form != target.form || isSwapped || changesIdentifiers }

    /// Whether each link is stored in a second direction.
    var addsMirrors: Bool { target.form.isSymmetric && !source.form.isSymmetric }

    /// The sides of the target on which an entity can have at most one link, and could have several.
    var newlyExclusive: [LinkSide] {
        LinkSide.allCases.filter { side in
            target[side].isExclusive && (addsMirrors || !source[self.source(of: side)].isExclusive)
        }
    }
}

extension CatalogRelation {
    /// The relation with its ends in the other order.
    fileprivate var swapped: CatalogRelation { CatalogRelation(form: form, first: second, second: first) }
}

extension LinkEnd {
    /// Keeps the former names of a stored end, with the name that was replaced. The declaration of an older program
    /// does not bring a former name back, unless it notes the stored name as an old name.
    ///
    /// - Parameter oldNames: The old names in the declaration.
    fileprivate mutating func adoptNames(of stored: LinkEnd, renamedFrom oldNames: [String]) {
        formerNames = stored.formerNames
        guard let property, let old = stored.property, old != property else {
            return formerNames.removeAll { $0 == property }
        }
        if oldNames.contains(old) || !formerNames.contains(property) {
            formerNames = formerNames.filter { $0 != property } + [old]
        } else {
            self.property = old
        }
    }
}
