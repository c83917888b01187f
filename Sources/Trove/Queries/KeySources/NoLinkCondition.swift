// The condition that an entity has no links of a relation.

import LMDB
import TroveCoding

/// The condition that a relation leads from an entity to no other, stored or not.
final class NoLinkCondition: KeyCondition {
    private let end: RelationEnd

    init(_ end: RelationEnd) { self.end = end }

    var plan: String { "\(end.description.property) has none" }
    var swift: String { ".hasNone(\\.$\(end.description.property))" }
    var source: (any KeySource)? { nil }

    func test(in context: ReadContext) throws -> any KeyTest { Test(try context.links(end)) }

    private final class Test: KeyTest {
        private let links: (links: LinkTable, side: LinkSide)?

        init(_ links: (links: LinkTable, side: LinkSide)?) { self.links = links }

        func contains(_ key: ByteView) throws -> Bool {
            guard let (links, side) = links else { return true }
            var isLinked = false
            try links.keyspace.withFirstKey(links.database(of: side, key), startingWith: key) { _ in isLinked = true }
            return !isLinked
        }
    }
}
