// The stored links of an entity, read from either end.

import Testing

@testable import Trove

extension EntityModelProtocol where ID == String {
    /// Returns the ids that a relation of the stored entity leads to, in order.
    func links<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>, in store: Store
    ) throws -> [String] {
        let index = try #require(Self.relationIndex(of: relation))
        let end = try Self.declaredRelations()[index]
        return try store.read { context in
            guard let (links, side) = try context.links(end) else { return [] }
            // The key of a string ends with a zero byte.
            return try links.targets(of: KeyWriter.bytes(of: id), side).map { target in
                String(decoding: target.dropLast(), as: UTF8.self)
            }
        }
    }
}
