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

    func test(in context: ReadContext) throws -> any KeyTest {
        guard let (links, side) = try context.links(end) else { return Test(nil) }
        return Test(try links.keyspace.seeks(in: links.database(of: side)))
    }

    private final class Test: KeyTest {
        /// The cursor on the links that begin with the keys of the owners; nil if there are none.
        private var links: SeekCursor?

        init(_ links: consuming SeekCursor?) { self.links = links }

        func contains(_ key: ByteView) throws -> Bool { try links?.seek(key)?.key.starts(with: key) != true }
    }
}
