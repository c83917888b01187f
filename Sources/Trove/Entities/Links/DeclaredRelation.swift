// The relations of an entity type, with the links in which a store keeps them.

import TroveCoding

/// A relation as its owner's type declares it, and its links.
final class DeclaredRelation: Sendable {
    let description: RelationDescription
    let links: LinkDeclaration
    /// The side of the owner.
    let side: LinkSide
    /// Whether the delete of a target removes its link, by the rule of the target's own relation.
    let isRemovedByTarget: Bool

    /// - Throws: ``StoreError/EntityError/relationMismatch(type:relation:inverse:)`` if the inverse does not name this
    ///   relation.
    init(_ relation: RelationDescription) throws(StoreError) {
        let inverse = relation.inverse
        guard !relation.isMutual || inverse?.isInverse(of: relation) == true else {
            throw StoreError.entity(
                .relationMismatch(
                    type: relation.owner.schema.name, relation: relation.property,
                    inverse: "\(relation.target.schema.name).\(relation.inverseProperty ?? "")"))
        }
        let owner = Self.End(relation.owner, relation)
        let target = relation.isSymmetric ? owner : Self.End(relation.target, inverse)
        let form: LinkForm
        let ownerIsFirst: Bool
        switch (relation.isToMany, target.end.isExclusive) {
        case _ where relation.isSymmetric:
            (form, ownerIsFirst) = (relation.isToMany ? .symmetricList : .symmetricPair, true)
        case (false, _) where !relation.isMutual: (form, ownerIsFirst) = (.pair, true)
        case (true, _) where !relation.isMutual: (form, ownerIsFirst) = (.list, false)
        case (false, false): (form, ownerIsFirst) = (.list, true)
        case (true, true): (form, ownerIsFirst) = (.list, false)
        case (let isToMany, _): (form, ownerIsFirst) = (isToMany ? .lists : .pair, owner.precedes(target))
        }
        let (first, second) = ownerIsFirst ? (owner, target) : (target, owner)
        description = relation
        side = ownerIsFirst ? .first : .second
        isRemovedByTarget = inverse.map { $0.deleteRule != .deny } ?? false
        links = LinkDeclaration(
            CatalogRelation(form: form, first: first.end, second: second.end),
            name: first.name ?? second.name ?? "", first: try first.idLayout(), second: try second.idLayout(),
            oldNames: [.first: first.oldNames, .second: second.oldNames],
            otherNames: [
                .first: first.otherNames(than: relation, inverse), .second: second.otherNames(than: relation, inverse),
            ])
    }

    /// An end of the links.
    private struct End {
        let type: any EntityModelProtocol.Type
        let end: LinkEnd
        let oldNames: [String]

        /// - Parameter relation: The relation that the type declares; nil if it declares none.
        init(_ type: any EntityModelProtocol.Type, _ relation: RelationDescription?) {
            self.type = type
            end = LinkEnd(
                keyPrefix: type.schema.keyPrefix, property: relation?.name, isExclusive: relation?.isToMany == false)
            oldNames = relation?.oldNames ?? []
        }

        /// The name of the links, such as `Chats.Message.chat`.
        var name: String? { end.property.map { type.schema.qualifiedName + "." + $0 } }

        func precedes(_ other: End) -> Bool {
            (end.keyPrefix, end.property ?? "") < (other.end.keyPrefix, other.end.property ?? "")
        }

        /// Returns the stored names of the type's other relations.
        func otherNames(than relation: RelationDescription, _ inverse: RelationDescription?) -> Set<String> {
            Set(
                type.relationDescriptions.filter { other in
                    ![relation, inverse].contains { $0?.owner == other.owner && $0?.property == other.property }
                }.map(\.name))
        }

        /// Returns the layout of the entities' identifiers.
        func idLayout() throws(StoreError) -> LayoutType {
            let schema = type.schema
            do throws(CodingError) {
                guard let type = try RecordLayout(schema.layout).key.first?.type else {
                    throw CodingError(.malformed(expected: "a key"))
                }
                return type
            } catch {
                throw StoreError.schema(.layoutMalformed(type: schema.name, layout: schema.layout, reason: error))
            }
        }
    }
}

extension EntityModelProtocol {
    /// Returns the relations of the type, in the order of their declaration, with their links.
    ///
    /// - Throws: ``StoreError/EntityError/relationMismatch(type:relation:inverse:)``.
    static func declaredRelations() throws(StoreError) -> [DeclaredRelation] {
        guard let state = schema.entity else { return [] }
        if let known = state.declaredRelations.withLock({ $0 }) { return known }
        let relations = try relationDescriptions.map { (relation) throws(StoreError) in try DeclaredRelation(relation) }
        // The parts of a program compare relations by identity: of two threads, the first one's are kept.
        return state.declaredRelations.withLock { known in
            if let known { return known }
            known = relations
            return relations
        }
    }

    /// Returns the relation at a key path, with its index in ``relations`` and its links.
    ///
    /// - Throws: ``StoreError/QueryError/notStored(type:property:)`` if the key path is not a relation of the type, and
    ///   ``StoreError/EntityError/relationMismatch(type:relation:inverse:)``.
    static func relation(at path: AnyKeyPath) throws(StoreError) -> (index: Int, declared: DeclaredRelation) {
        guard let index = relationIndex(of: path) else {
            throw StoreError.query(.notStored(type: schema.name, property: path.textWithoutAddresses))
        }
        return (index, try declaredRelations()[index])
    }

    /// Checks that a relation is the inverse of another one. A statement of `TroveSpellings` names both.
    ///
    /// - Throws: ``StoreError/EntityError/relationMismatch(type:relation:inverse:)`` if two relations are not inverse.
    package static func checkInverse<Target: EntityModelProtocol>(
        of path: AnyKeyPath, _ inverse: PartialKeyPath<Target>
    ) throws {
        let relation = try relation(at: path).declared.description
        guard let other = Target.relationIndex(of: inverse).map({ Target.relationDescriptions[$0] }),
            other.property == relation.inverseProperty
        else {
            let name = Target.relationIndex(of: inverse).map {
                "\(Target.schema.name).\(Target.relationDescriptions[$0].property)"
            }
            throw StoreError.entity(
                .relationMismatch(
                    type: schema.name, relation: relation.property, inverse: name ?? inverse.textWithoutAddresses))
        }
    }
}
