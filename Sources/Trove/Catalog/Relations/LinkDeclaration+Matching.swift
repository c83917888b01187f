// The search for the stored relation of a declared relation.
//
// A relation is identified by the prefixes of its entity types and the names of its properties. A declared relation is
// a stored relation whose ends have the same prefixes, and whose properties have
//
//     the same names                 it is unchanged, or has another form or other cardinalities
//     old names of the declaration   it was renamed
//     names that were renamed        the declaring program is older than the new names
//     a name at one end only         it was one-way and is mutual, or the reverse
//     the same name at one end       it is mutual as before, and was renamed at the other end without a note
//
// The first of these precedes the others. A name that the entity type declares for another relation never matches.

import TroveCoding

extension LinkDeclaration {
    /// Returns the declared relation among the relations of a store; nil if the store does not have it.
    ///
    /// Two one-way relations that became a mutual relation are not found: their links may contradict each other.
    func find(among relations: some Sequence<StoredRelation>) -> StoredRelation? {
        var best: (cost: Int, stored: StoredRelation)?
        var isAmbiguous = false
        for stored in relations {
            if stored.relation.isSameDeclaration(as: relation) { return stored }
            guard let match = match(stored.relation) else { continue }
            if let known = best, (known.cost, known.stored.schema.keyPrefix) < (match.cost, stored.schema.keyPrefix) {
                isAmbiguous = isAmbiguous || known.cost == match.cost
            } else {
                isAmbiguous = best?.cost == match.cost
                best = (match.cost, stored)
            }
        }
        guard let best, !(isAmbiguous && best.cost >= Cost.oneEnd) else { return nil }
        return best.stored
    }

    /// Returns the side of a stored relation that is a declared side; nil if it is another relation.
    func side(_ side: LinkSide, in stored: CatalogRelation) -> LinkSide? {
        if stored.isSameDeclaration(as: relation) { return side }
        guard let match = match(stored) else { return nil }
        return match.isSwapped ? side.other : side
    }

    /// The distances of names. The least distance precedes the others.
    private enum Cost {
        static let renamed = 1
        static let formerlyNamed = 1 << 16
        static let oneEnd = 1 << 32
        static let unnoted = 1 << 40
    }

    private struct Match {
        var cost: Int
        var isSwapped: Bool
    }

    private func match(_ stored: CatalogRelation) -> Match? {
        guard stored.hasEnd(relation.first.keyPrefix), stored.hasEnd(relation.second.keyPrefix) else { return nil }
        return [false, true].compactMap { isSwapped -> Match? in
            guard isOriented(stored, isSwapped: isSwapped) else { return nil }
            return cost(stored, isSwapped: isSwapped).map { Match(cost: $0, isSwapped: isSwapped) }
        }.min { $0.cost < $1.cost }
    }

    /// Returns whether the first end of a symmetric relation has the property of the other relation. The links of its
    /// second end have no list.
    private func isOriented(_ stored: CatalogRelation, isSwapped: Bool) -> Bool {
        let side: LinkSide = isSwapped ? .second : .first
        switch (relation.form.isSymmetric, stored.form.isSymmetric) {
        case (false, false): return true
        case (true, true): return !isSwapped
        case (true, false): return stored[side].property != nil
        case (false, true): return relation[side].property != nil
        }
    }

    private func cost(_ stored: CatalogRelation, isSwapped: Bool) -> Int? {
        var cost = 0
        var isNamed = false
        var isRenamedWithoutNote = false
        for side in LinkSide.allCases {
            let end = stored[isSwapped ? side.other : side]
            guard relation[side].keyPrefix == end.keyPrefix else { return nil }
            guard let name = end.property else {
                if relation[side].property != nil { cost += Cost.oneEnd }
                continue
            }
            if otherNames[side]?.contains(name) == true { return nil }
            guard let declared = relation[side].property else {
                cost += Cost.oneEnd
                continue
            }
            if let distance = distance(of: declared, on: side, from: name, end.formerNames) {
                cost += distance
                isNamed = true
            } else {
                guard !isRenamedWithoutNote else { return nil }
                isRenamedWithoutNote = true
                cost += Cost.unnoted
            }
        }
        return isNamed ? cost : nil
    }

    /// Returns the distance of a declared name from a stored name; nil if they name different properties.
    private func distance(of declared: String, on side: LinkSide, from name: String, _ former: [String]) -> Int? {
        if declared == name { return 0 }
        if let oldNames = oldNames[side], let index = oldNames.lastIndex(of: name) {
            return Cost.renamed + min(oldNames.count - index, Cost.formerlyNamed / 4)
        }
        return former.contains(declared) ? Cost.formerlyNamed : nil
    }
}
