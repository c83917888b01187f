// The links of the damaged store. Each link is derived from its ends and a revision alone, so that a reader recognizes
// a link that was never made.

import Foundation
import Trove

@EntityModel
package struct Branch: Hashable {
    package let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.branch) package var leaves: [Leaf]?
    @Relationship(inverse: \.neighbors) package var neighbors: [Branch]?
}

@EntityModel
package struct Leaf: Hashable {
    package let id: Int
    @Relationship(inverse: \.leaves) package var branch: Branch?
    @Relationship package var first: Branch? = nil
}

/// The links of a sample store.
enum SampleLinks {
    static let types: [any IndexKeyRecord.Type] = [Branch.self]
    private static let branches = 12
    private static let leaves = 240

    /// Moves all leaves to other branches.
    static func write(_ revision: Int, in context: TransactionContext) throws {
        for id in 0..<branches {
            try Branch(id: id, neighbors: .ids([(id + revision) % branches, (id + 5) % branches])).save(to: context)
        }
        for id in 0..<leaves {
            try Leaf(id: id, branch: .id((id + revision) % branches), first: .id(id % branches)).save(to: context)
        }
    }

    /// Whether a line of a dump is a link that was made in any revision.
    static func isGenuine(_ line: String) throws -> Bool {
        guard let link = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Int] else { return false }
        let revisions = 0..<SampleStore.revisions
        if let leaf = link["leaves"], let branch = link["branch"] {
            return revisions.contains { branch == (leaf + $0) % branches }
        }
        if let leaf = link["owner"], let branch = link["first"] { return branch == leaf % branches }
        if let one = link["owner"], let other = link["neighbors"] {
            let distances = [(one - other + branches) % branches, (other - one + branches) % branches]
            return distances.contains { $0 == 5 || revisions.contains($0) }
        }
        return false
    }

    /// Returns the links of a store, as the lines of its dump. A damaged tree can contain a cycle.
    static func lines(_ store: Store) throws -> [String] {
        try store.read { context in
            var lines: [String] = []
            for type in try context.storedTypes() where type.links != nil {
                try context.forEachDumpLine(of: [type], limit: 2 * leaves) { line in
                    // The first lines describe the type.
                    if line.hasPrefix("{") { lines.append(line) }
                }
            }
            return lines
        }
    }

    /// Changes and removes links in a transaction that is undone. Throws the first error that is not the store's.
    static func use(_ store: Store) throws {
        struct Undone: Error {}
        let statements: [(TransactionContext) throws -> Void] = [
            { try Branch(id: 1).detach(\.$leaves, in: $0, ignoringDamage: true) },
            { try Branch(id: 2, leaves: .ids([7, 5, 3]), neighbors: .ids([1, 3])).save(to: $0) },
            { try Branch(id: 3).delete(from: $0) }, { try Leaf(id: 9).detach(\.$first, in: $0) },
            { try Branch(id: 4).delete(\.$leaves, from: $0) },
            { try $0.delete(Branch.self, key: 5, ignoringDamage: true) },
        ]
        do {
            try store.write { context in
                for statement in statements {
                    do { try context.nested(statement) } catch is StoreError {}
                }
                throw Undone()
            }
        } catch is Undone {}
    }
}
