// The links of entities as a source of keys: the targets of a relation, or the entities that a relation leads from.

import LMDB
import TroveCoding

/// The entities linked with others by a relation.
final class LinkSource: KeySource {
    /// The relation, as its owner's type declares it.
    let relation: DeclaredRelation
    /// Whether the walked entities are the relation's owners, and the keys its targets.
    let isForward: Bool
    let owners: LinkOwners
    private let texts: @Sendable (_ source: String) -> (plan: String, swift: String)

    /// - Parameter texts: Returns the condition in a plan, and as Swift, given the description.
    init(
        _ relation: DeclaredRelation, isForward: Bool, _ owners: LinkOwners,
        _ texts: @escaping @Sendable (_ source: String) -> (plan: String, swift: String)
    ) {
        self.relation = relation
        self.isForward = isForward
        self.owners = owners
        self.texts = texts
    }

    var plan: String { texts(description).plan }
    var swift: String { texts(description).swift }

    var share: Double { min(1, 0.001 * Double(owners.knownCount ?? 100)) }

    var depth: Int { owners.depth + 1 }

    /// The maximum number of queries that run within each other. Their calls fit on a stack of 512 KB in a debug build.
    static let depthLimit = 16

    func check() throws {
        if case .query(let query, _) = owners { try query.checkOwners() }
    }

    func planned(in context: ReadContext) throws -> any KeySource { try withOwnerScan(in: context) }

    func open(in context: ReadContext) throws -> any OpenKeySource {
        OpenLinks(try withOwnerScan(in: context), context, try context.links(relation))
    }

    private func withOwnerScan(in context: ReadContext) throws -> LinkSource {
        guard case .query(let query, nil) = owners else { return self }
        return LinkSource(
            relation, isForward: isForward, .query(query, OwnerScan(try query.ownerPlan(in: context))), texts)
    }

    /// The links and the number of owners in a plan.
    var description: String {
        let links = "links \(relation.description.text)"
        return switch (owners.knownCount, isForward) {
        case (let count?, true): "\(links) of \(count == 1 ? "1 owner" : "\(count) owners")"
        case (let count?, false): "\(links) to \(count == 1 ? "1 entity" : "\(count) entities")"
        case (nil, _): "\(links) of the owners found by"
        }
    }
}

extension RelationDescription {
    /// The relation with its type, such as `Chat.messages`.
    var text: String { "\(owner.schema.name).\(property)" }
}
