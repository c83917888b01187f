// Properties without an order, in indexes.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Equality of values without an order") struct EqualityTests {
    private let address = Address(street: "Elm", city: "Salem")

    /// Returns the bytes of the first property of an index, derived from a record.
    private func bytes(_ place: DeclaredPlace, index: Int) -> [UInt8] {
        KeyWriter.bytes { DeclaredPlace.indexes[index].properties[0].encode(place, &$0) }
    }

    @Test func aValue_isItsFieldEscaped() {
        #expect(bytes(DeclaredPlace(id: 1, numbers: [0, 1]), index: 3) == [0x02] + zeros(8) + one() + [0x00])
        #expect(bytes(DeclaredPlace(id: 1, numbers: []), index: 3) == [0x01, 0x01, 0x00])
    }

    /// Returns the escaped form of zero bytes (0x00).
    private func zeros(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in [0x01, 0x01] as [UInt8] } }

    /// The escaped bytes of the integer 1.
    private func one() -> [UInt8] { [0x01, 0x02] + zeros(7) }

    @Test func nil_isShorterThanAnyValue() {
        #expect(bytes(DeclaredPlace(id: 1, second: nil), index: 1) == [0x00])
        #expect(
            bytes(DeclaredPlace(id: 1, second: address), index: 1)
                == bytes(DeclaredPlace(id: 2, address: address), index: 0))
    }

    @Test func equalValues_haveEqualBytes_andNoBytesBeginOthers() {
        let seeded = SeededGenerator.fromEnvironment()
        var random = seeded.generator
        let places = (0..<200).map { id in
            DeclaredPlace(
                id: id,
                numbers: (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                    Int.random(in: 0..<2, using: &random)
                })
        }
        for left in places {
            for right in places {
                let (first, second) = (bytes(left, index: 3), bytes(right, index: 3))
                #expect(first.starts(with: second) == (left.numbers == right.numbers), "seed \(seeded.seed)")
            }
        }
    }

    @Test func dictionaries_areEqualInAnyOrder() {
        let counts = (0..<40).map { ("key\($0)", $0) }
        let place = DeclaredPlace(id: 1, counts: Dictionary(uniqueKeysWithValues: counts))
        let other = DeclaredPlace(id: 2, counts: Dictionary(uniqueKeysWithValues: counts.reversed()))
        #expect(bytes(place, index: 4) == bytes(other, index: 4))
    }

    @Test func skipping_endsWhereTheNextPropertyBegins() throws {
        let index = DeclaredPlace.indexes[1]
        for place in [DeclaredPlace(id: 5), DeclaredPlace(id: 5, second: address)] {
            let key = KeyWriter.bytes { writer in
                for property in index.properties { property.encode(place, &writer) }
            }
            let id = try unsafe KeyReader.read(key.span.bytes) { reader throws(CodingError) in
                try index.properties[0].skip(&reader)
                return try Descending<Int>(decodingKey: &reader).value
            }
            #expect(id == 5)
        }
    }

    // MARK: In a store

    private func withStore(_ body: (Store) throws -> Void) throws {
        let directory = try TemporaryDirectory()
        try body(
            Store(
                path: directory.path("places.trove"), records: [DeclaredPlace.self],
                options: StoreOptions(durability: .noSync)))
    }

    @Test func uniqueValues_areFoundByTheirBytes_andNilIsFree() throws {
        try withStore { store in
            try store.insert(DeclaredPlace(id: 1, tree: Tree(label: "a", children: [])))
            try store.insert(DeclaredPlace(id: 2, tree: Tree(label: "b", children: [])))
            try store.insert(DeclaredPlace(id: 3))
            try store.insert(DeclaredPlace(id: 4))
            do {
                try store.insert(DeclaredPlace(id: 5, tree: Tree(label: "a", children: [])))
                Issue.record("a second record has the same tree")
            } catch StoreError.record(.notUnique(_, let index, _, let existing)) {
                #expect(index == "unique(tree)")
                #expect(existing.bytes == KeyWriter.bytes(of: 1))
            }
            #expect(try store.check(DeclaredPlace.self) == [])
            #expect(try DeclaredPlace.query().count(in: store) == 4)
        }
    }

    @Test func rawValues_withoutAnOrder_areFound() throws {
        try withStore { store in
            try store.insert(contentsOf: (4..<100).map { DeclaredPlace(id: $0, former: .dry) })
            try store.insert(contentsOf: [
                DeclaredPlace(id: 1, climate: .dry, former: .mild), DeclaredPlace(id: 2),
                DeclaredPlace(id: 3, climate: .dry),
            ])
            let dry = DeclaredPlace.filter(\.climate == .dry)
            #expect(try dry.explain(in: store).hasPrefix("scan index(climate)"))
            #expect(try dry.keys(in: store) == [1, 3])
            #expect(try DeclaredPlace.filter(\.former == .mild).explain(in: store).hasPrefix("scan index(former)"))
            #expect(try DeclaredPlace.filter(\.former == .mild).keys(in: store) == [1])
            #expect(try DeclaredPlace.filter(\.former == nil).keys(in: store) == [2, 3])
            #expect(try store.check(DeclaredPlace.self) == [])
        }
    }

    /// The index entries are built before the fields are encoded.
    @Test func aValueThatCannotBeWritten_isRefusedAsAField() throws {
        try withStore { store in
            var tree = Tree(label: "leaf", children: [])
            for _ in 0...ValueWriter.depthLimit { tree = Tree(label: "", children: [tree]) }
            guard
                case .record(.unencodable("DeclaredPlace", _))? = storeError({
                    try store.insert(DeclaredPlace(id: 1, tree: tree))
                })
            else {
                Issue.record("it was saved")
                return
            }
            try store.insert(DeclaredPlace(id: 2))
            #expect(try store.check(DeclaredPlace.self) == [])
            #expect(try DeclaredPlace.query().count(in: store) == 1)
        }
    }
}
