// The condition that an entity has no links of a relation.

import LMDB
import TroveCoding

/// The condition that a relation leads from an entity to no other, stored or not.
final class NoLinkCondition: KeyCondition {
    private let relation: DeclaredRelation

    init(_ relation: DeclaredRelation) { self.relation = relation }

    var plan: String { "\(relation.description.property) has none" }
    var swift: String { ".hasNone(\\.$\(relation.description.property))" }
    var source: (any KeySource)? { nil }

    func test(in context: ReadContext) throws -> any KeyTest {
        guard let (links, side) = try context.links(relation) else { return Test(nil) }
        return Test(try links.keyspace.seeks(in: links.database(of: side)))
    }

    private final class Test: KeyTest {
        /// The cursor on the links that begin with the keys of the owners; nil if there are none.
        private var links: SeekCursor?

        init(_ links: consuming SeekCursor?) { self.links = links }

        func contains(_ key: ByteView) throws -> Bool { try links?.seek(key)?.key.starts(with: key) != true }
    }
}
