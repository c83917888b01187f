// The cursor over links: of an owner, and of several owners in one pass.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Link cursors") struct LinkCursorTests {
    private let owners = (100..<300).map { KeyWriter.bytes(of: "\($0)") }
    private let targets = (0..<6).map { KeyWriter.bytes(of: "\($0)") }

    /// Links some of the owners with some of the targets.
    private func store(_ sample: LinkCase, _ side: LinkSide, _ random: inout SeededGenerator) throws -> Store {
        let store = try Store.temporary()
        var linked: [(owner: [UInt8], targets: [[UInt8]])] = []
        for owner in owners where Bool.random(using: &random) {
            linked.append((owner, targets.filter { _ in Bool.random(using: &random) }))
        }
        try store.write { context in
            let links = try context.linkWriter(of: sample.declaration)
            let kind: LinkStatement.Kind = sample.relation.isExclusive(side) ? .set : .append
            for (owner, targets) in linked {
                try LinkStatement(kind, owner, side, targets).carryOut(by: links)
            }
        }
        return store
    }

    /// Close owners are found in one scan, and far owners by seeks.
    @Test(arguments: LinkCase.all) func severalOwners_haveTheLinksOfEach(_ sample: LinkCase) throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var random = generator
        let comment: Comment = "TROVE_TEST_SEED=\(seed), \(sample)"
        let side = try #require(sample.sides.first)
        try store(sample, side, &random).read { context in
            let links = try #require(try context.links(sample.declaration))
            for step in [1, 2, 7, 60] {
                let wanted = stride(from: 0, to: owners.count, by: step).map { owners[$0] }
                var found: [[[UInt8]]] = []
                try KeyList(bytes: wanted).withKeys { keys in
                    var cursor = try LinkCursor(links, side, of: keys)
                    for index in 0..<keys.count {
                        try cursor.move(to: keys[index])
                        var list: [[UInt8]] = []
                        while let link = try cursor.next() { list.append(link.target.copy()) }
                        found.append(list)
                    }
                }
                let expected = try wanted.map { try links.targets(of: $0, side) }
                #expect(found == expected, comment)
            }
        }
    }

    @Test(arguments: LinkCase.all) func descending_hasTheLinksInReverse(_ sample: LinkCase) throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var random = generator
        let comment: Comment = "TROVE_TEST_SEED=\(seed), \(sample)"
        let side = try #require(sample.sides.first)
        try store(sample, side, &random).read { context in
            let links = try #require(try context.links(sample.declaration))
            for owner in owners {
                var cursor = try LinkCursor(links, side, of: owner, isDescending: true)
                var list: [[UInt8]] = []
                while let link = try cursor.next(atMost: 2) { list.append(link.target.copy()) }
                let ascending = try links.targets(of: owner, side)
                #expect(list == ascending.reversed(), comment)
                let hasNext = try cursor.hasNext()
                #expect(!hasNext, comment)
            }
        }
    }
}
